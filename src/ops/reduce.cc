// Axes of reductions by opset: an attribute, then an input that may be empty and mean nothing.
#include "ops/reduce.h"

#include "ops/expect.h"

namespace godwit::ops {
namespace {

// The axes that `list` names among `rank`; none named: all, or with noop_with_empty_axes none.
Result<std::vector<bool>> marked(const Site& site, const Ints& list, std::size_t rank) {
  if (list.empty()) return std::vector<bool>(rank, !site.flag("noop_with_empty_axes"));
  std::vector<bool> out(rank, false);
  ASSIGN(const std::vector<std::size_t> axes, site.axes(list, rank));
  for (const std::size_t axis : axes) out[axis] = true;
  return out;
}

// What is left of `dims`; axes that go are kept as 1 with keepdims.
template <class Each>
std::vector<Each> left(const Site& site, const std::vector<Each>& dims,
                       const std::vector<bool>& is_reduced) {
  const bool keeps = site.flag("keepdims");
  std::vector<Each> out;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!is_reduced[i])
      out.push_back(dims[i]);
    else if (keeps)
      out.push_back(1);
  }
  return out;
}

}  // namespace

Shape without_axis(const Shape& shape, std::size_t axis, bool keeps) {
  Shape out = shape;
  if (keeps)
    out[axis] = 1;
  else
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(axis));
  return out;
}

Status infer_reduced(Inference& n) {
  std::optional<Ints> list = n.integers("axes");
  if (n.has_input(1)) list = n.integers(1);
  const Shape* const shape = n.shape(0);
  if (shape && list) {
    ASSIGN(const std::vector<bool> is_reduced, marked(n, *list, shape->size()));
    n.set(0, n.element(0), left(n, *shape, is_reduced));
    return {};
  }
  std::optional<Shape> unknown;
  if (shape && n.flag("keepdims")) unknown = Shape(shape->size(), Dim::unknown());
  n.set(0, n.element(0), std::move(unknown));
  return {};
}

Result<Reduction> read_reduction(const Call& call) {
  ASSIGN(const Ints list, call.list("axes", 1));
  Reduction out{call.input(0).dims()};
  ASSIGN(out.is_reduced, marked(call, list, out.dims.size()));
  out.kept = left(call, out.dims, out.is_reduced);
  for (std::size_t i = 0; i < out.dims.size(); ++i) {
    if (out.is_reduced[i]) out.folded *= static_cast<std::size_t>(out.dims[i]);
  }
  return out;
}

Status expect_no_axes(const Expansion& e) {
  const std::optional<Ints> axes = e.has_input(1) ? e.Inference::integers(1) : Ints();
  if (!axes) return e.refuse("not_constant", {{"input", "1"}});
  if (axes->empty() && e.flag("noop_with_empty_axes")) return {};
  return refuse_attribute(e, "noop_with_empty_axes");
}

}  // namespace godwit::ops
