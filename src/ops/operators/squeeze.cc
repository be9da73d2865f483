// Leaves out axes of size 1.
#include "base/text.h"
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// The sizes that stay. Without axes: all but 1; nothing where that cannot be told yet.
Result<std::optional<Shape>> remaining(const Site& site, const Shape& shape,
                                       const std::optional<Ints>& axes) {
  std::vector<bool> leaves(shape.size(), false);
  if (axes) {
    ASSIGN(const std::vector<std::size_t> chosen, site.axes(*axes, shape.size()));
    for (const std::size_t axis : chosen) {
      if (shape[axis].is_known() && !shape[axis].is(1))
        return site.refuse("size", {{"found", shape[axis].to_string()}, {"expected", "1"}});
      leaves[axis] = true;
    }
  }
  Shape out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!axes && !shape[i].is_known()) return std::optional<Shape>();
    if (!leaves[i] && (axes || !shape[i].is(1))) out.push_back(shape[i]);
  }
  return std::optional(std::move(out));
}

Status infer(Inference& n) {
  const bool has_axes = n.has_input(1) || n.has("axes");
  const std::optional<Ints> axes = has_axes ? n.list("axes", 1) : std::nullopt;
  std::optional<Shape> shape;
  if (n.shape(0) && (axes || !has_axes)) {
    ASSIGN(shape, remaining(n, *n.shape(0), axes));
  }
  n.set(0, n.element(0), std::move(shape));
  if (std::optional<Content> content = n.content(0)) n.set_content(0, *std::move(content));
  return {};
}

Status evaluate(Call& call) {
  std::optional<Ints> axes;
  if (call.has_input(1) || call.has("axes")) {
    ASSIGN(axes, call.list("axes", 1));
  }
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const std::optional<Shape> shape, remaining(call, Shape(dims.begin(), dims.end()), axes));
  Sizes out;
  for (const Dim dim : *shape) out.push_back(dim.value());
  call.set(0, call.input(0).reshaped(std::move(out)));
  return {};
}

}  // namespace

extern const Operator squeeze = {
    .name = "Squeeze",
    .doc = "The same values without the given axes of size 1, or without all of that size.",
    .inputs = {{.name = "data", .types = any_tensor(13, 21)},
               {.name = "axes", .variable = 'S', .types = kInt64, .kind = kOptional, .since = 13}},
    .outputs = {{.name = "squeezed", .types = any_tensor(13, 21)}},
    .attributes = {{.name = "axes", .until = 12}},
    .revisions = {11, 13, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
