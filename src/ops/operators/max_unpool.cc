// Puts the elements that a MaxPool found back where it found them; all others are zero.
#include "ops/expect.h"
#include "ops/window.h"

namespace godwit::ops::operators {
namespace {

// What the pooling must have seen: (positions - 1) * stride + kernel - pads.
Result<Shape> unpooled(const Site& site, const Shape& dims) {
  const std::size_t rank = dims.size() - 2;
  ASSIGN(const Ints kernel, per_axis(site, "kernel_shape", rank, 1, 0));
  ASSIGN(const Window window, read_window(site, kernel));
  Shape out(dims.begin(), dims.begin() + 2);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t rest =
        kernel[axis] - window.strides[axis] - window.pads[axis] - window.pads[rank + axis];
    out.push_back(dims[axis + 2] * Dim(window.strides[axis]) + Dim(rest));
  }
  return out;
}

Status infer(Inference& n) {
  n.set(0, n.element(0), std::nullopt);
  if (n.has_input(2)) {
    if (const auto wanted = n.content(2)) n.set(0, n.element(0), Shape(*wanted));
  } else if (n.shape(0) && n.shape(0)->size() >= 3) {
    ASSIGN(Shape shape, unpooled(n, *n.shape(0)));
    n.set(0, n.element(0), std::move(shape));
  }
  return {};
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank_from(call, 0, 3));
  TRY(expect_sizes(call, 1, call.input(0).dims()));
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const Shape shape, unpooled(call, Shape(dims.begin(), dims.end())));
  Sizes seen;
  for (const Dim dim : shape) seen.push_back(dim.is_known() ? dim.value() : -1);
  Ints wanted = seen;
  if (call.has_input(2)) {
    ASSIGN(wanted, call.integers(2));
  }
  bool fits = wanted.size() == seen.size() && ir::count(seen).has_value();
  for (std::size_t i = 0; fits && i < seen.size(); ++i) fits = wanted[i] >= seen[i];
  if (!fits) return refuse_shapes(call, seen, wanted);

  // Indices count through what the pooling saw, which stands at the low end of what is wanted.
  const std::span<const T> x = call.values<T>(0);
  const std::span<const std::int64_t> indices = call.values<std::int64_t>(1);
  const std::int64_t count = product(seen, 0, seen.size());
  const std::vector<std::int64_t> from = strides(seen), to = strides(wanted);
  ASSIGN(const std::span<T> y, call.make<T>(0, wanted));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= count) {
      return refuse_index(call, indices[i], count);
    }
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < seen.size(); ++axis)
      place += indices[i] / from[axis] % seen[axis] * to[axis];
    y[static_cast<std::size_t>(place)] = x[i];
  }
  return {};
}

}  // namespace

extern const Operator max_unpool = {
    .name = "MaxUnpool",
    .doc = "Puts pooled elements back to the places that MaxPool gave as indices.",
    .since = 9,
    .inputs = {{"X", 'T', floats(22)},
               {"I", 'I', kInt64},
               {"output_shape", 'I', kInt64, kOptional}},
    .outputs = {{"output", 'T', floats(22)}},
    .attributes = {{"kernel_shape", kMustBeThere}, {"pads"}, {"strides"}},
    .revisions = {11, 22},
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
