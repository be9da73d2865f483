// The window that convolutions and poolings slide over the spatial axes of an image: how often it
// fits, where each position lies, and which elements are under it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops {

struct Window {
  enum class Padding : std::uint8_t { kGiven, kValid, kSameUpper, kSameLower };
  Ints kernel{};
  Ints strides{};
  Ints dilations{};
  Ints pads{};  // all begins, then all ends
  Padding padding = Padding::kGiven;
  bool rounds_up = false;  // ceil_mode

  std::size_t rank() const { return kernel.size(); }
  /// Elements of the image that the window spans along an axis.
  std::int64_t extent(std::size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
  /// Elements added before and after an image of this size.
  std::int64_t begin(std::size_t axis, std::int64_t image) const;
  std::int64_t end(std::size_t axis, std::int64_t image) const;
  /// How many positions the window takes along an axis of an image. Errors: E151 not even one.
  Result<Dim> positions(const Site& site, std::size_t axis, Dim image) const;
  /// The same along all axes.
  Result<Shape> positions(const Site& site, std::span<const Dim> image) const;
  Result<Sizes> positions(const Site& site, std::span<const std::int64_t> image) const;
};

/// The window of a node with the attributes strides, dilations, pads, auto_pad and ceil_mode.
/// Errors: E151 a list of another length than `kernel`, or a number out of range.
Result<Window> read_window(const Site& site, Ints kernel);

/// Attribute `name` with one number for each of `rank` axes, all in [least, 2^31); all `fallback`
/// when it is missing.
Result<Ints> per_axis(const Site& site, std::string_view name, std::size_t rank, std::int64_t least,
                      std::int64_t fallback);

/// A batch of images, [N, C, D1 …]: the sizes of its spatial axes.
template <class Each>
std::span<const Each> spatial(const std::vector<Each>& dims) {
  return std::span<const Each>(dims).subspan(std::min<std::size_t>(2, dims.size()));
}

/// Neighbouring positions along the last axis that have one kernel element over the image:
/// positions first, first + 1 … lie over elements image, image + step ….
struct Run {
  std::size_t position;
  std::size_t image;
  std::size_t count;
};

/// All positions that have the kernel element at `coordinates` over the image, not its padding.
std::vector<Run> runs(const Window& window, const Sizes& coordinates,
                      std::span<const std::int64_t> image, std::span<const std::int64_t> positions);

/// The elements of the image that lie under the window at one position, in row-major order.
struct Under {
  std::size_t position;
  std::span<const std::size_t> elements;
  std::int64_t with_padding;  // how many elements and paddings
};

/// The part of one axis that lies under the window.
struct Overlap {
  std::int64_t first, step, count;
  std::int64_t with_padding;
};
Overlap overlap(const Window& window, std::size_t axis, std::int64_t image, std::int64_t position);

/// Calls `body(under)` for every position, in row-major order.
template <class Body>
void for_each_position(const Window& window, std::span<const std::int64_t> image,
                       const Sizes& positions, Body&& body) {
  const std::vector<std::int64_t> step = strides(Sizes(image.begin(), image.end()));
  std::vector<std::size_t> elements;
  std::size_t position = 0;
  for (Odometer at(positions, {}); !at.done(); at.next(), ++position) {
    std::int64_t first = 0, with_padding = 1;
    Sizes counts;
    std::vector<std::int64_t> steps;
    for (std::size_t axis = 0; axis < window.rank(); ++axis) {
      const Overlap part = overlap(window, axis, image[axis], at.coordinates()[axis]);
      first += part.first * step[axis];
      counts.push_back(part.count);
      steps.push_back(part.step * step[axis]);
      with_padding *= part.with_padding;
    }
    elements.clear();
    for (Odometer under(counts, {steps}); !under.done(); under.next())
      elements.push_back(static_cast<std::size_t>(first) + under.offset(0));
    body(Under{position, elements, with_padding});
  }
}

}  // namespace godwit::ops
