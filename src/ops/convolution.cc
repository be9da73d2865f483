// Sizes of convolutions.
#include "ops/convolution.h"

#include "base/text.h"
#include "ops/expect.h"

namespace godwit::ops {
namespace {

// The spatial sizes of the filters; the attribute kernel_shape may only repeat them.
Result<Ints> read_kernel(const Call& call, std::size_t w) {
  const auto sizes = spatial(call.input(w).dims());
  Ints kernel(sizes.begin(), sizes.end());
  const Ints said = call.integers("kernel_shape");
  if (!said.empty() && said != kernel) return refuse_attribute(call, "kernel_shape");
  return kernel;
}

// The same in a shape rule, where the filters may not be known.
std::optional<Ints> known_kernel(const Inference& n, std::size_t w) {
  if (Ints said = n.integers("kernel_shape"); !said.empty()) return said;
  if (!n.shape(w)) return std::nullopt;
  Ints out;
  for (const Dim dim : spatial(*n.shape(w))) {
    if (!dim.is_known()) return std::nullopt;
    out.push_back(dim.value());
  }
  return out;
}

}  // namespace

Sizes Convolution::output() const {
  Sizes out = {static_cast<std::int64_t>(batch), static_cast<std::int64_t>(filters)};
  out.insert(out.end(), positions.begin(), positions.end());
  return out;
}

Result<Convolution> read_convolution(const Call& call, std::size_t x, std::size_t w) {
  TRY(expect_rank_from(call, x, 3));
  TRY(expect_rank(call, w, call.input(x).rank()));
  const Sizes &image = call.input(x).dims(), &filters = call.input(w).dims();
  const std::int64_t groups = call.integer("group");
  if (groups < 1 || groups > image[1] || image[1] % groups || filters[0] % groups ||
      filters[1] != image[1] / groups) {
    return call.refuse("groups", {{"a", ir::to_string(image)},
                                  {"b", ir::to_string(filters)},
                                  {"groups", format("{}", groups)}});
  }
  ASSIGN(Ints kernel, read_kernel(call, w));
  ASSIGN(Window window, read_window(call, std::move(kernel)));
  ASSIGN(Sizes positions, window.positions(call, spatial(image)));
  return Convolution{.window = std::move(window),
                     .image = Sizes(image.begin() + 2, image.end()),
                     .positions = std::move(positions),
                     .batch = static_cast<std::size_t>(image[0]),
                     .channels = static_cast<std::size_t>(image[1]),
                     .filters = static_cast<std::size_t>(filters[0]),
                     .groups = static_cast<std::size_t>(groups)};
}

Status infer_convolution(Inference& n, std::size_t x, std::size_t w, ElementType made) {
  const Shape* const image = n.shape(x);
  n.set(0, made, std::nullopt);
  if (!image || image->size() < 3) return {};
  Shape out(image->size(), Dim::unknown());
  out[0] = image->front();
  if (n.shape(w) && n.shape(w)->size() == image->size()) out[1] = n.shape(w)->front();
  const std::optional<Ints> kernel = known_kernel(n, w);
  if (kernel && kernel->size() + 2 == image->size()) {
    ASSIGN(const Window window, read_window(n, *kernel));
    ASSIGN(const Shape positions, window.positions(n, spatial(*image)));
    std::copy(positions.begin(), positions.end(), out.begin() + 2);
  }
  n.set(0, made, std::move(out));
  return {};
}

}  // namespace godwit::ops
