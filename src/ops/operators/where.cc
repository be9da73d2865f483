// Takes each element from one of two tensors.
#include "ops/elements.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

std::optional<Content> chosen(const Inference& n) {
  const auto where = n.integers(0);
  const auto x = n.content(1), y = n.content(2);
  if (!where || !x || !y) return std::nullopt;
  const std::size_t size = std::max({where->size(), x->size(), y->size()});
  for (const std::size_t own : {where->size(), x->size(), y->size()}) {
    if (own != size && own != 1) return std::nullopt;
  }
  Content out;
  for (std::size_t i = 0; i < size; ++i) {
    const Content& from = (*where)[where->size() == 1 ? 0 : i] != 0 ? *x : *y;
    out.push_back(from[from.size() == 1 ? 0 : i]);
  }
  return out;
}

Status infer(Inference& n) {
  TRY(broadcast_numbers(n));
  n.set(0, n.element(1), n.output(0).shape);
  if (auto content = chosen(n)) n.set_content(0, *std::move(content));
  return {};
}

Status evaluate(Call& call) {
  const Tensor &where = call.input(0), &x = call.input(1), &y = call.input(2);
  ASSIGN(Sizes dims, broadcast_inputs(call, 1, 2));
  const std::optional<Sizes> wide = broadcast(where.dims(), dims);
  if (!wide) {
    return call.refuse("broadcast",
                       {{"a", ir::to_string(where.dims())}, {"b", ir::to_string(dims)}});
  }
  ASSIGN(Tensor* const out, call.make(0, x.type(), *wide));
  const std::span<const bool> condition = where.values<bool>();
  Odometer at(*wide, {broadcast_strides(where.dims(), *wide), broadcast_strides(x.dims(), *wide),
                      broadcast_strides(y.dims(), *wide)});
  for (std::size_t i = 0; !at.done(); at.next(), ++i) {
    const bool first = condition[at.offset(0)];
    copy_elements(first ? x : y, at.offset(first ? 1 : 2), *out, i);
  }
  return {};
}

}  // namespace

extern const Operator where = {
    .name = "Where",
    .doc = "X where the condition holds, else Y, all three broadcast.",
    .since = 9,
    .inputs = {{"condition", 'B', kBool}, {"X", 'T', classic(16)}, {"Y", 'T', classic(16)}},
    .outputs = {{"output", 'T', classic(16)}},
    .revisions = {16},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
