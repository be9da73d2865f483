// The window of a node in the terms of the kernels for convolutions and poolings.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/conv.h"
#include "ops/convolution.h"
#include "ops/window.h"

namespace godwit::exec {

inline constexpr std::size_t kMostAxes = 3;  // of kernels::ConvShape and its kin

/// Sets the spatial axes, which are the last ones of the three that kernels know. False: there are
/// more, or padding that is cut off.
template <class Shape>
bool set_axes(const ops::Window& window, std::span<const std::int64_t> image, Shape& out) {
  const std::size_t rank = image.size();
  if (rank == 0 || rank > kMostAxes || window.rank() != rank) return false;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis = kMostAxes - rank + i;
    const auto number = [](std::int64_t value) { return static_cast<std::size_t>(value); };
    const std::int64_t begin = window.begin(i, image[i]), end = window.end(i, image[i]);
    if (begin < 0 || end < 0) return false;
    out.in[axis] = number(image[i]);
    out.kernel[axis] = number(window.kernel[i]);
    out.stride[axis] = number(window.strides[i]);
    out.dilation[axis] = number(window.dilations[i]);
    out.pad_begin[axis] = number(begin);
    out.pad_end[axis] = number(end);
  }
  return true;
}

/// A convolution whose sizes were checked; false as above.
inline bool set_shape(const ops::Convolution& sizes, kernels::ConvShape& out) {
  out.batch = sizes.batch;
  out.channels = sizes.channels;
  out.out_channels = sizes.filters;
  out.groups = sizes.groups;
  return set_axes(sizes.window, sizes.image, out);
}

}  // namespace godwit::exec
