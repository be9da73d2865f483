// Repeats a tensor as a whole along each axis.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// Opset 1 repeats along one axis and gives both numbers in the type of the data.
Result<Ints> repeats_of(const Call& call) {
  if (call.opset() >= 6) return call.integers(1);
  const std::size_t rank = call.input(0).rank();
  ASSIGN(const double tiles, call.scalar(1));
  ASSIGN(const double axis_number, call.scalar(2));
  if (!(tiles >= 0 && tiles < 9e18)) return refuse_index(call, -1, 0);
  if (!(axis_number >= 0 && axis_number < static_cast<double>(rank)))
    return call.axis(static_cast<std::int64_t>(rank), rank).map([](std::size_t) { return Ints(); });
  Ints out(rank, 1);
  out[static_cast<std::size_t>(axis_number)] = static_cast<std::int64_t>(tiles);
  return out;
}

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0)) shape = shape_of_rank(static_cast<std::int64_t>(n.shape(0)->size()));
  const std::optional<Content> repeats = n.opset() >= 6 ? n.content(1) : std::nullopt;
  if (n.shape(0) && repeats) {
    if (repeats->size() != n.shape(0)->size())
      return n.refuse("shape", {{"a", to_string(*n.shape(0))}, {"b", to_string(*repeats)}});
    for (std::size_t i = 0; i < repeats->size(); ++i)
      (*shape)[i] = (*n.shape(0))[i] * (*repeats)[i];
  }
  n.set(0, n.element(0), std::move(shape));
  return {};
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  ASSIGN(const Ints repeats, repeats_of(call));
  if (repeats.size() != x.rank()) return refuse_shapes(call, x.dims(), repeats);
  // Each axis is seen as two: the repetition, which does not move, and the axis itself.
  Sizes seen, dims;
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < x.rank(); ++i) {
    const std::optional<std::int64_t> size = ir::count(Sizes{repeats[i], x.dims()[i]});
    if (!size) return refuse_shapes(call, x.dims(), repeats);
    dims.push_back(*size);
    seen.insert(seen.end(), {repeats[i], x.dims()[i]});
    steps.insert(steps.end(), {0, strides(x.dims())[i]});
  }
  ASSIGN(const Tensor out, strided(x, std::move(seen), steps));
  call.set(0, out.reshaped(std::move(dims)));
  return {};
}

}  // namespace

extern const Operator tile = {
    .name = "Tile",
    .doc = "The tensor repeated as a whole, so many times along each axis.",
    .inputs = {{"input", 'T', floats(13) | since(6, kClassic)},
               {.name = "tiles", .types = kClassicFloats, .until = 5},
               {.name = "axis", .types = kClassicFloats, .until = 5},
               {.name = "repeats", .variable = 'R', .types = kInt64, .since = 6}},
    .outputs = {{"output", 'T', floats(13) | since(6, kClassic)}},
    .revisions = {13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
