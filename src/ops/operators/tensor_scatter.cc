// Writes new steps of a sequence into a cache, at a place of its own for each member of the batch.
#include <numeric>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

// Where each member of the batch begins to write.
Result<Ints> starts(const Call& call, std::int64_t room, std::int64_t steps, bool wraps) {
  const std::int64_t batch = call.input(0).dims().front();
  if (!call.has_input(2)) return Ints(static_cast<std::size_t>(batch), 0);
  TRY(expect_sizes(call, 2, {batch}));
  ASSIGN(Ints out, call.integers(2));
  for (std::int64_t& start : out) {
    if (start < 0 || (!wraps && start > room - steps)) return refuse_index(call, start, room);
    if (wraps) start %= room;
  }
  return out;
}

Status evaluate(Call& call) {
  TRY(expect_rank_from(call, 0, 2));
  const Tensor& cache = call.input(0);
  ASSIGN(const std::size_t axis, call.axis("axis", cache.rank()));
  if (axis == 0) return refuse_attribute(call, "axis");
  const std::string_view mode = call.text("mode");
  if (mode != "linear" && mode != "circular") return refuse_attribute(call, "mode");
  const std::int64_t room = cache.dims()[axis];
  Sizes written = cache.dims();
  if (call.input(1).rank() == written.size()) written[axis] = call.input(1).dims()[axis];
  TRY(expect_sizes(call, 1, written));
  if (written[axis] > room) return refuse_shapes(call, written, cache.dims());
  if (call.input(1).empty()) {
    call.set(0, cache);
    return {};
  }
  ASSIGN(const Ints start, starts(call, room, written[axis], mode == "circular"));

  ASSIGN(Tensor* const y, call.make(0, cache.type(), cache.dims()));
  copy_elements(cache, 0, *y, 0, static_cast<std::size_t>(cache.count()));
  const std::vector<std::int64_t> steps = strides(cache.dims());
  std::size_t from = 0;
  for (Odometer at(written, {steps}); !at.done(); at.next(), ++from) {
    const Sizes& here = at.coordinates();
    const std::int64_t step = here[axis] + start[static_cast<std::size_t>(here[0])];
    const std::int64_t moved = (step % room - here[axis]) * steps[axis];
    const std::int64_t to = static_cast<std::int64_t>(at.offset(0)) + moved;
    copy_elements(call.input(1), from, *y, static_cast<std::size_t>(to));
  }
  return {};
}

// The place of every new step as an index of ScatterElements.
Status expand(Expansion& e) {
  ASSIGN(const Term cache, term(e, 0));
  ASSIGN(const std::size_t rank, e.known_rank(0));
  ASSIGN(const std::size_t axis, e.axis("axis", rank));
  Ints others;
  for (std::size_t i = 0; i < rank; ++i) {
    if (i != axis) others.push_back(static_cast<std::int64_t>(i));
  }
  const auto at = static_cast<std::int64_t>(axis);
  Term step = places(e, e.input(1), at).unsqueezed(others);
  if (e.has_input(2)) {
    Ints behind(rank - 1);
    std::iota(behind.begin(), behind.end(), 1);
    step = Term(e, e.input(2), ElementType::kInt64).unsqueezed(behind) + step;
  }
  if (e.text("mode") == "circular") step = step.then("Mod", {e.size(cache, at)});
  const ValueId index = step.then("Expand", {e.add("Shape", {e.input(1)})});
  e.set_output(0, cache.then("ScatterElements", {index, e.input(1)}, {{"axis", at}}));
  return {};
}

}  // namespace

extern const Operator tensor_scatter = {
    .name = "TensorScatter",
    .doc = "Writes new steps of a sequence into a cache.",
    .since = 24,
    .inputs = {{"past_cache", 'T', kAnyTensor - kInt2s},
               {"update", 'T', kAnyTensor - kInt2s},
               {"write_indices", 'I', kInt64, kOptional}},
    .outputs = {{"present_cache", 'T', kAnyTensor - kInt2s}},
    .attributes = {{"axis", -2}, {"mode", "linear"}},
    .storage = Storage::kAsStored,
    .infer = same_as_first,
    .evaluate = evaluate,
    .expand = expand,
};

}  // namespace godwit::ops::operators
