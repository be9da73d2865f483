// Puts axes of size 1 in between.
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// `axes` count in the shape that comes out.
template <class Size>
Result<std::vector<Size>> widened(const Site& site, const std::vector<Size>& from,
                                  const Ints& axes) {
  const std::size_t rank = from.size() + axes.size();
  ASSIGN(const std::vector<std::size_t> chosen, site.axes(axes, rank));
  std::vector<Size> out = from;
  for (const std::size_t axis : chosen)
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis), Size(1));
  return out;
}

Status infer(Inference& n) {
  const std::optional<Ints> axes = n.list("axes", 1);
  std::optional<Shape> shape;
  if (n.shape(0) && axes) {
    ASSIGN(shape, widened(n, *n.shape(0), *axes));
  }
  const bool is_list = shape && shape->size() <= 1;
  n.set(0, n.element(0), std::move(shape));
  if (std::optional<Content> content = n.content(0); content && is_list)
    n.set_content(0, *std::move(content));
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const Ints axes, call.list("axes", 1));
  ASSIGN(Sizes dims, widened(call, call.input(0).dims(), axes));
  call.set(0, call.input(0).reshaped(std::move(dims)));
  return {};
}

}  // namespace

extern const Operator unsqueeze = {
    .name = "Unsqueeze",
    .doc = "The same values with axes of size 1 at the given places.",
    .inputs = {{.name = "data", .types = any_tensor(13, 21)},
               {.name = "axes", .variable = 'S', .types = kInt64, .since = 13}},
    .outputs = {{.name = "expanded", .types = any_tensor(13, 21)}},
    .attributes = {{.name = "axes", .fallback = kMustBeThere, .until = 12}},
    .revisions = {11, 13, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
