// Tiles of C in registers; B in panels that the first-level cache holds.
#include "kernels/wide.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "kernels/wide_loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wide.cc"
#include "kernels/simd/foreach.h"
// The instruction set is chosen above.
#include <hwy/highway.h>

#include "kernels/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kTileRows = 6;
constexpr std::size_t kVectors = 2;

// kTileRows rows of A times a panel of B, added to C; fewer rows repeat the last one.
void wide_tile(std::size_t depth, const double* const* a, const double* panel, double* const* c,
               std::size_t columns) {
  const hn::ScalableTag<double> d;
  constexpr std::size_t kWidth = hn::MaxLanes(d);
  hn::Vec<decltype(d)> sum[kTileRows][kVectors];
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kTileRows; ++r) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(d);
  }
  for (std::size_t k = 0; k < depth; ++k, panel += kVectors * kWidth) {
    const auto b0 = hn::LoadU(d, panel), b1 = hn::LoadU(d, panel + kWidth);
    GODWIT_UNROLL
    for (std::size_t r = 0; r < kTileRows; ++r) {
      const auto x = hn::Set(d, a[r][k]);
      sum[r][0] = hn::MulAdd(x, b0, sum[r][0]);
      sum[r][1] = hn::MulAdd(x, b1, sum[r][1]);
    }
  }
  for (std::size_t r = 0; r < kTileRows; ++r) {
    if (c[r] == nullptr) continue;
    double row[kVectors * kWidth];
    hn::StoreU(sum[r][0], d, row);
    hn::StoreU(sum[r][1], d, row + kWidth);
    for (std::size_t i = 0; i < columns; ++i) c[r][i] += row[i];
  }
}

}  // namespace

extern const WideLoops kWideLoops;
const WideLoops kWideLoops = {kTileRows, kVectors* hn::MaxLanes(hn::ScalableTag<double>()),
                              wide_tile};

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace godwit::kernels {
namespace {

constexpr std::size_t kDepthOfPanel = 256;
constexpr std::size_t kMostRows = 16;  // of a tile, at any level
constexpr std::size_t kStrip = 512;    // pixels that are gathered at a time

// One panel of columns of C.
void multiply_panel(const WideGemm& call, const WideLoops& loops, std::size_t column) {
  const std::size_t columns = std::min(loops.columns, call.n - column);
  std::vector<double> panel(kDepthOfPanel * loops.columns);
  for (std::size_t row = 0; row < call.m; ++row)
    std::fill_n(call.c + row * call.c_stride + column, columns, 0.0);
  for (std::size_t k0 = 0; k0 < call.k; k0 += kDepthOfPanel) {
    const std::size_t depth = std::min(kDepthOfPanel, call.k - k0);
    for (std::size_t k = 0; k < depth; ++k) {
      const double* const from = call.b + (k0 + k) * call.b_stride + column;
      std::copy_n(from, columns, panel.data() + k * loops.columns);
    }
    for (std::size_t row = 0; row < call.m; row += loops.rows) {
      const double* a[kMostRows];
      double* c[kMostRows];
      for (std::size_t r = 0; r < loops.rows; ++r) {
        const std::size_t at = std::min(row + r, call.m - 1);
        a[r] = call.a + at * call.a_stride + k0;
        c[r] = row + r < call.m ? call.c + at * call.c_stride + column : nullptr;
      }
      loops.tile(depth, a, panel.data(), c, columns);
    }
  }
}

// Where an output pixel looks along an axis for a tap; beyond the image where that is padding.
std::size_t looked_at(const ConvShape& s, std::size_t axis, std::size_t position, std::size_t tap) {
  const std::size_t at = position * s.stride[axis] + tap * s.dilation[axis];
  return at < s.pad_begin[axis] ? s.in[axis] : at - s.pad_begin[axis];
}

/// Output pixels [first, first + count) of one group of one image: a row for each channel and tap.
void gather(const ConvShape& s, const double* image, std::size_t first, std::size_t count,
            double* out) {
  const std::size_t height = s.out(1), width = s.out(2), planes = s.group_channels();
  constexpr std::size_t kOutside = ~std::size_t{0};
  std::vector<std::size_t> places(count);
  for (std::size_t tap = 0; tap < s.taps(); ++tap) {
    const std::size_t tx = tap % s.kernel[2], ty = tap / s.kernel[2] % s.kernel[1],
                      tz = tap / s.kernel[2] / s.kernel[1];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t pixel = first + i;
      const std::size_t x = looked_at(s, 2, pixel % width, tx);
      const std::size_t y = looked_at(s, 1, pixel / width % height, ty);
      const std::size_t z = looked_at(s, 0, pixel / width / height, tz);
      const bool is_in = x < s.in[2] && y < s.in[1] && z < s.in[0];
      places[i] = is_in ? (z * s.in[1] + y) * s.in[2] + x : kOutside;
    }
    for (std::size_t channel = 0; channel < planes; ++channel) {
      const double* const plane = image + channel * s.in_pixels();
      double* const row = out + (channel * s.taps() + tap) * count;
      for (std::size_t i = 0; i < count; ++i)
        row[i] = places[i] == kOutside ? 0.0 : plane[places[i]];
    }
  }
}

// Each output pixel is made of the input pixel at its place.
bool is_pointwise(const ConvShape& s) {
  constexpr ConvShape::Axes kOnes{1, 1, 1}, kNone{};
  return s.kernel == kOnes && s.stride == kOnes && s.pad_begin == kNone && s.pad_end == kNone;
}

}  // namespace

void wide_gemm(const WideGemm& call) {
  if (call.m == 0 || call.n == 0) return;
  const WideLoops& loops = GODWIT_AT_LEVEL(kWideLoops);
  parallel_for((call.n + loops.columns - 1) / loops.columns, [&](std::size_t index, std::size_t) {
    multiply_panel(call, loops, index * loops.columns);
  });
}

void wide_conv(const ConvShape& s, const double* in, const double* weights, const double* bias,
               double* out) {
  const std::size_t pixels = s.out_pixels(), depth = s.group_channels() * s.taps();
  const std::size_t strips = (pixels + kStrip - 1) / kStrip;
  const auto strip = [&](std::size_t index, std::size_t) {
    const std::size_t first = index % strips * kStrip, which = index / strips;
    const std::size_t count = std::min(kStrip, pixels - first), group = which % s.groups;
    const double* const image = in + which * s.group_channels() * s.in_pixels();
    std::vector<double> gathered(is_pointwise(s) ? 0 : depth * count);
    if (!is_pointwise(s)) gather(s, image, first, count, gathered.data());
    double* const to = out + which * s.group_outputs() * pixels + first;
    wide_gemm({.m = s.group_outputs(),
               .n = count,
               .k = depth,
               .a = weights + group * s.group_outputs() * depth,
               .a_stride = depth,
               .b = is_pointwise(s) ? image + first : gathered.data(),
               .b_stride = is_pointwise(s) ? pixels : count,
               .c = to,
               .c_stride = pixels});
    for (std::size_t m = 0; bias != nullptr && m < s.group_outputs(); ++m) {
      for (std::size_t i = 0; i < count; ++i)
        to[m * pixels + i] += bias[group * s.group_outputs() + m];
    }
  };
  const std::size_t tasks = s.batch * s.groups * strips;
  if (tasks == 1) return strip(0, 0);  // whose product then has all threads
  parallel_for(tasks, strip);
}

}  // namespace godwit::kernels
#endif
