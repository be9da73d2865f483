// Broadcasting for evaluations, and what the loops over elements have in common.
#include "ops/elementwise.h"

#include <utility>

#include "base/text.h"

namespace godwit::ops {
namespace {

// The loop for the type of input 0; null: the operator does not take it.
template <class Row>
const Row* find_loop(const Call& call, std::span<const Row> loops) {
  for (const Row& row : loops) {
    if (row.in == call.input(0).type()) return &row;
  }
  return nullptr;
}

tl::unexpected<Error> refuse_type(const Call& call) {
  return call.refuse("type", {{"type", std::string(ir::name(call.input(0).type()))}});
}

}  // namespace

Result<Sizes> broadcast_inputs(const Call& call, std::size_t a, std::size_t b) {
  std::optional<Sizes> dims = broadcast(call.input(a).dims(), call.input(b).dims());
  if (!dims) {
    return call.refuse("broadcast", {{"a", ir::to_string(call.input(a).dims())},
                                     {"b", ir::to_string(call.input(b).dims())}});
  }
  return *std::move(dims);
}

Result<Sizes> second_sizes(const Call& call) {
  Sizes dims = call.input(1).dims();
  ASSIGN(const std::size_t ones, call.ones_behind(call.input(0).rank(), dims.size()));
  dims.insert(dims.end(), ones, 1);
  return dims;
}

Result<Sizes> broadcast_all(const Call& call) {
  Sizes dims = call.input(0).dims();
  for (std::size_t i = 1; i < call.inputs(); ++i) {
    if (!call.has_input(i)) return call.refuse("missing", {{"input", format("{}", i)}});
    std::optional<Sizes> wider = broadcast(dims, call.input(i).dims());
    if (!wider) return broadcast_inputs(call, 0, i);
    dims = *std::move(wider);
  }
  return dims;
}

Result<Pairs> pair_inputs(const Call& call) {
  const Sizes& a = call.input(0).dims();
  ASSIGN(const Sizes b, second_sizes(call));
  std::optional<Sizes> dims = broadcast(a, b);
  if (!dims) return call.refuse("broadcast", {{"a", ir::to_string(a)}, {"b", ir::to_string(b)}});
  Odometer at(*dims, {broadcast_strides(a, *dims), broadcast_strides(b, *dims)});
  const auto count = static_cast<std::size_t>(product(*dims, 0, dims->size()));
  const auto fills = [&](std::size_t i) {
    return static_cast<std::size_t>(call.input(i).count()) == count;
  };
  return Pairs{*std::move(dims), std::move(at), count, fills(0) && fills(1)};
}

Status run_loop(Call& call, std::span<const Loop> loops) {
  const Loop* const loop = find_loop(call, loops);
  if (!loop) return refuse_type(call);
  const Tensor& x = call.input(0);
  ASSIGN(Tensor* const y, call.make(0, loop->out, x.dims()));
  loop->run(x.data(), y->mutable_data(), static_cast<std::size_t>(x.count()));
  return {};
}

Status run_loop(Call& call, std::span<const PairLoop> loops) {
  const PairLoop* const loop = find_loop(call, loops);
  if (!loop) return refuse_type(call);
  ASSIGN(Pairs pairs, pair_inputs(call));
  ASSIGN(Tensor* const y, call.make(0, loop->out, pairs.dims));
  loop->run(call.input(0).data(), call.input(1).data(), y->mutable_data(), pairs);
  return {};
}

}  // namespace godwit::ops
