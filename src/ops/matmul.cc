// Vectors become matrices, the axes before the last two broadcast.
#include "ops/matmul.h"

#include "base/text.h"

namespace godwit::ops {
namespace {

tl::unexpected<Error> refuse_shapes(const Site& site, const Shape& a, const Shape& b) {
  return site.refuse("shape", {{"a", to_string(a)}, {"b", to_string(b)}});
}

Shape head(const Shape& shape) {
  return shape.size() < 2 ? Shape() : Shape(shape.begin(), shape.end() - 2);
}

Shape to_shape(const Sizes& dims) { return {dims.begin(), dims.end()}; }

Sizes to_sizes(const Shape& shape) {
  Sizes out;
  for (const Dim dim : shape) out.push_back(dim.value());
  return out;
}

}  // namespace

Result<Shape> matmul_shape(const Site& site, const Shape& a, const Shape& b) {
  if (a.empty() || b.empty()) return refuse_shapes(site, a, b);
  const Dim inner = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (a.back().is_known() && inner.is_known() && !(a.back() == inner))
    return refuse_shapes(site, a, b);
  ASSIGN(Shape out, broadcast(site, head(a), head(b)));
  if (a.size() > 1) out.push_back(a[a.size() - 2]);
  if (b.size() > 1) out.push_back(b.back());
  return out;
}

Status infer_matmul(Inference& n, std::size_t a, std::size_t b, ElementType made) {
  std::optional<Shape> shape;
  if (n.shape(a) && n.shape(b)) {
    ASSIGN(shape, matmul_shape(n, *n.shape(a), *n.shape(b)));
  }
  n.set(0, made, std::move(shape));
  return {};
}

Dim matmul_flop(const Inference& n) {
  const Shape* const a = n.shape(0);
  if (!a || a->empty() || !n.output(0).shape) return Dim::unknown();
  return ir::count(*n.output(0).shape) * a->back() * Dim(2);
}

Result<MatMul> read_matmul(const Call& call, std::size_t a, std::size_t b) {
  const Shape x = to_shape(call.input(a).dims()), y = to_shape(call.input(b).dims());
  ASSIGN(const Shape shape, matmul_shape(call, x, y));
  ASSIGN(const Shape batch, broadcast(call, head(x), head(y)));
  MatMul out{to_sizes(shape), to_sizes(batch)};
  out.a_step = broadcast_strides(to_sizes(head(x)), out.batch);
  out.b_step = broadcast_strides(to_sizes(head(y)), out.batch);
  out.rows = x.size() == 1 ? 1 : static_cast<std::size_t>(x[x.size() - 2].value());
  out.inner = static_cast<std::size_t>(x.back().value());
  out.columns = y.size() == 1 ? 1 : static_cast<std::size_t>(y.back().value());
  return out;
}

}  // namespace godwit::ops
