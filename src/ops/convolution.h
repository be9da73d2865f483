// Convolution of a batch of images with filters in groups: the core of Conv and its integer forms.
#pragma once

#include <span>

#include "ops/call.h"
#include "ops/window.h"

namespace godwit::ops {

/// The sizes of one convolution, checked against each other.
struct Convolution {
  Window window;
  Sizes image;      // spatial sizes of x: [batch, channels, image …]
  Sizes positions;  // spatial sizes of y: [batch, filters, positions …]
  std::size_t batch, channels, filters, groups;

  Sizes output() const;
};

/// Sizes of inputs `x` [N, C, D1 …] and `w` [M, C / group, K1 …], and the window of the node.
/// Errors: E151 sizes that do not fit.
Result<Convolution> read_convolution(const Call& call, std::size_t x, std::size_t w);

/// Shape rule of output 0: [N, M, positions …].
Status infer_convolution(Inference& n, std::size_t x, std::size_t w, ElementType made);

/// One product and one sum for every weight of a filter, for every element of output 0.
template <std::size_t kFilters>
Dim convolution_flop(const Inference& n) {
  const Shape* const filters = n.shape(kFilters);
  if (!filters || filters->empty() || !n.output(0).shape) return Dim::unknown();
  return Dim(2) * ir::count(*n.output(0).shape) * floor_div(ir::count(*filters), filters->front());
}

/// y[n, m, p] += sum over c, k of w[m, c, k] * x[n, c of the group, image element of p and k]
template <class T>
void convolve(const Convolution& sizes, std::span<const T> x, std::span<const T> w,
              std::span<T> y) {
  const Window& window = sizes.window;
  const auto volume = [](const Sizes& dims) {
    return static_cast<std::size_t>(product(dims, 0, dims.size()));
  };
  const std::size_t image = volume(sizes.image), positions = volume(sizes.positions);
  const std::size_t kernel = volume(window.kernel);
  const std::size_t depth = sizes.channels / sizes.groups, each = sizes.filters / sizes.groups;
  const auto stride = static_cast<std::size_t>(window.strides.back());

  std::size_t k = 0;
  for (Odometer at(window.kernel, {}); !at.done(); at.next(), ++k) {
    const std::vector<Run> covered = runs(window, at.coordinates(), sizes.image, sizes.positions);
    for (std::size_t plane = 0; plane < sizes.batch * sizes.filters; ++plane) {
      const std::size_t n = plane / sizes.filters, m = plane % sizes.filters;
      T* const to = y.data() + plane * positions;
      for (std::size_t c = 0; c < depth; ++c) {
        const T weight = w[(m * depth + c) * kernel + k];
        const T* const from = x.data() + (n * sizes.channels + m / each * depth + c) * image;
        for (const Run& run : covered) {
          for (std::size_t i = 0; i < run.count; ++i)
            to[run.position + i] += weight * from[run.image + i * stride];
        }
      }
    }
  }
}

}  // namespace godwit::ops
