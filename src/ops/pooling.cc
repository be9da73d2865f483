// Sizes of poolings.
#include "ops/pooling.h"

#include "base/text.h"

namespace godwit::ops {

Result<Pooling> read_pooling(const Call& call) {
  TRY(expect_rank_from(call, 0, 3));
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const Ints kernel, per_axis(call, "kernel_shape", dims.size() - 2, 1, 0));
  ASSIGN(Window window, read_window(call, kernel));
  ASSIGN(Sizes positions, window.positions(call, spatial(dims)));
  Sizes output(dims.begin(), dims.begin() + 2);
  output.insert(output.end(), positions.begin(), positions.end());
  const Sizes image(dims.begin() + 2, dims.end());
  const auto results = ir::count(positions);
  if (!results) return refuse_shapes(call, dims, positions);
  return Pooling{.window = std::move(window),
                 .image = image,
                 .positions = std::move(positions),
                 .output = std::move(output),
                 .planes = static_cast<std::size_t>(product(dims, 0, 2)),
                 .volume = static_cast<std::size_t>(product(image, 0, image.size())),
                 .results = static_cast<std::size_t>(*results)};
}

Status infer_pooling(Inference& n) {
  std::optional<Shape> shape;
  if (const Shape* const image = n.shape(0); image && image->size() >= 3) {
    ASSIGN(const Ints kernel, per_axis(n, "kernel_shape", image->size() - 2, 1, 0));
    ASSIGN(const Window window, read_window(n, kernel));
    ASSIGN(const Shape positions, window.positions(n, spatial(*image)));
    shape = Shape(image->begin(), image->begin() + 2);
    shape->insert(shape->end(), positions.begin(), positions.end());
  }
  n.set(0, n.element(0), shape);
  n.set(1, ElementType::kInt64, std::move(shape));
  return {};
}

Status infer_global_pooling(Inference& n) {
  std::optional<Shape> shape;
  if (const Shape* const image = n.shape(0); image && image->size() >= 2) {
    shape = Shape(image->size(), Dim(1));
    std::copy_n(image->begin(), 2, shape->begin());
  }
  n.set(0, n.element(0), std::move(shape));
  return {};
}

tl::unexpected<Error> refuse_bare_window(const Call& call, const Under& under) {
  return call.refuse("bare_window", {{"position", format("{}", under.position)}});
}

}  // namespace godwit::ops
