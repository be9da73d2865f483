// Resizing along axes one by one: what Resize and Upsample share.
#pragma once

#include <optional>
#include <vector>

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops {

/// How one axis is resized.
struct ResizedAxis {
  std::int64_t from, to;
  double scale;                       // what was asked for; to / from may be a little less
  double roi_start = 0, roi_end = 1;  // in parts of the axis
};

/// How places in the output become places in the input, and elements there values between them.
struct Resampling {
  enum class Mode : std::uint8_t { kNearest, kLinear, kCubic };
  enum class Place : std::uint8_t {
    kHalfPixel,
    kHalfPixelSymmetric,
    kPytorchHalfPixel,
    kHalfPixelForNearest,
    kAlignCorners,
    kAsymmetric,
    kCropAndResize
  };
  enum class Nearest : std::uint8_t { kPreferFloor, kPreferCeil, kFloor, kCeil };
  Mode mode = Mode::kNearest;
  Place place = Place::kAsymmetric;
  Nearest nearest = Nearest::kFloor;
  double cubic_a = -0.75;
  bool excludes_outside = false;  // else elements outside are those of the border
  bool antialiases = false;
  double extrapolation = 0;  // the value outside, of kCropAndResize
};

/// Output 0 from input 0. Errors: E151 a type or size that cannot be resized.
Status resize(Call& call, const std::vector<ResizedAxis>& axes, const Resampling& how);

/// size * scale rounded down, in the precision of the scale.
std::int64_t scaled_size(std::int64_t size, float scale);
/// The same in a shape rule; unknown unless it can be said exactly.
Dim scaled_size(Dim size, float scale);

/// E151 unless there is one finite positive scale for each axis.
Status check_scales(const Site& site, const Floats& scales, std::size_t rank);

}  // namespace godwit::ops
