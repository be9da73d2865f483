// The same values under another shape.
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// Resolves 0 (as in the input, unless allowzero) and the one -1 (what is left).
Result<Shape> resolve(const Site& site, const Shape& from, Content wanted) {
  const bool keeps_zero = site.flag("allowzero");
  std::optional<std::size_t> open;
  Dim rest = 1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].is(0) && !keeps_zero) {
      if (i >= from.size())
        return site.refuse("shape", {{"a", to_string(from)}, {"b", to_string(wanted)}});
      wanted[i] = from[i];
    }
    const bool is_wrong = wanted[i].is_known() && wanted[i].value() < -1;
    if (is_wrong || (wanted[i].is(-1) && open))
      return site.refuse("shape", {{"a", to_string(from)}, {"b", to_string(wanted)}});
    if (wanted[i].is(-1))
      open = i;
    else
      rest = rest * wanted[i];
  }
  if (open) wanted[*open] = rest.is(0) ? Dim(0) : floor_div(count(from), rest);
  const Dim before = count(from), after = count(wanted);
  if (before.is_known() && after.is_known() && !(before == after))
    return site.refuse("shape", {{"a", to_string(from)}, {"b", to_string(wanted)}});
  return wanted;
}

Status infer(Inference& n) {
  std::optional<Content> wanted = n.content(1);
  if (n.has("shape")) {
    const Ints list = n.integers("shape");
    wanted = Content(list.begin(), list.end());
  }
  if (wanted && n.shape(0)) {
    ASSIGN(Shape shape, resolve(n, *n.shape(0), *std::move(wanted)));
    n.set(0, n.element(0), std::move(shape));
    const auto content = n.content(0);
    if (content && n.output(0).shape->size() <= 1) n.set_content(0, *content);
    return {};
  }
  std::optional<Shape> shape;
  if (wanted) shape = shape_of_rank(static_cast<std::int64_t>(wanted->size()));
  for (std::size_t i = 0; shape && i < shape->size(); ++i) {
    if ((*wanted)[i].is_known() && (*wanted)[i].value() > 0) (*shape)[i] = (*wanted)[i];
  }
  if (!wanted && n.shape(1) && n.shape(1)->size() == 1 && n.shape(1)->front().is_known())
    shape = shape_of_rank(n.shape(1)->front().value());
  n.set(0, n.element(0), std::move(shape));
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const Ints wanted, call.list("shape", 1));
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const Shape shape,
         resolve(call, Shape(dims.begin(), dims.end()), Content(wanted.begin(), wanted.end())));
  Sizes out;
  for (const Dim dim : shape) out.push_back(dim.value());
  if (ir::count(out) != call.input(0).count())
    return call.refuse("shape", {{"a", ir::to_string(dims)}, {"b", ir::to_string(wanted)}});
  call.set(0, call.input(0).reshaped(std::move(out)));
  return {};
}

}  // namespace

extern const Operator reshape = {
    .name = "Reshape",
    .doc = "The same values under another shape; -1 is what is left, 0 as in the input.",
    .inputs = {{"data", 'T', floats(13) | since(5, kClassic) | since(19, kFloat8) | kPackedTypes},
               {.name = "shape", .variable = 'S', .types = kInt64, .since = 5}},
    .outputs = {{"reshaped", 'T',
                 floats(13) | since(5, kClassic) | since(19, kFloat8) | kPackedTypes}},
    .attributes = {{.name = "shape", .until = 4},
                   {.name = "consumed_inputs", .until = 4},
                   {.name = "allowzero", .fallback = 0, .since = 14}},
    .revisions = {13, 14, 19, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
