// Gathering the right side of a convolution's product, and depthwise convolutions themselves.
#include "kernels/conv_loops.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv_loops.cc"
#include "kernels/simd/foreach.h"
// The instruction set is chosen above.
#include <hwy/highway.h>

#include "kernels/simd/finish_inl.h"
#include "kernels/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t kOutside = static_cast<std::size_t>(-1);

// A run of pixels of one output row in one panel: all inside the image, or all in its padding.
struct Run {
  std::size_t source;  // from the channel's first pixel, or kOutside
  std::size_t length;
  std::size_t to;  // from the panels' row of the channel
};

// The same for every channel, so it is worked out once for each tap. None is empty.
struct Runs {
  Run run[kGatherPixels + kLanes * 4];
  std::size_t count = 0;
  std::size_t to = 0;

  void add(std::size_t source, std::size_t length) {
    if (length != 0) run[count++] = {source, length, to};
    to += length;
  }
};

// Where output row (z, y) reads under a tap; kOutside where that is padding.
std::size_t input_row(const ConvShape& s, std::size_t z, std::size_t y, std::size_t tap) {
  const std::size_t down = z * s.stride[0] + tap / (s.kernel[1] * s.kernel[2]) * s.dilation[0];
  const std::size_t along = y * s.stride[1] + tap / s.kernel[2] % s.kernel[1] * s.dilation[1];
  if (down < s.pad_begin[0] || down - s.pad_begin[0] >= s.in[0]) return kOutside;
  if (along < s.pad_begin[1] || along - s.pad_begin[1] >= s.in[1]) return kOutside;
  return ((down - s.pad_begin[0]) * s.in[1] + along - s.pad_begin[1]) * s.in[2];
}

void add_row(const ConvShape& s, std::size_t row, std::size_t x, std::size_t length,
             std::size_t tap, Runs& runs) {
  if (row == kOutside) return runs.add(kOutside, length);
  const std::size_t shift = tap % s.kernel[2] * s.dilation[2];
  const std::size_t pad = s.pad_begin[2];
  const std::size_t step = s.stride[2];
  // The outputs [begin, end) of the row read inside the image.
  const std::size_t begin = shift >= pad ? 0 : (pad - shift + step - 1) / step;
  const std::size_t limit = s.in[2] + pad;
  const std::size_t end = limit <= shift ? 0 : (limit - shift + step - 1) / step;
  const std::size_t from = std::clamp(begin, x, x + length);
  const std::size_t to = std::clamp(end, from, x + length);
  runs.add(kOutside, from - x);
  runs.add(row + from * step + shift - pad, to - from);
  runs.add(kOutside, x + length - to);
}

// The runs of all panels; what does not fill the last one counts as padding.
void find_runs(const ConvShape& s, const Gather& what, std::size_t tap, std::size_t width,
               Runs& runs) {
  const std::size_t end = what.first + what.count;
  runs.count = 0;
  for (std::size_t panel = 0, pixel = what.first; pixel < end; ++panel) {
    const std::size_t stop = std::min(end, pixel + width);
    runs.to = panel * what.depth * width;
    const std::size_t filled = runs.to + width;
    while (pixel < stop) {
      const std::size_t x = pixel % s.out(2);
      const std::size_t length = std::min(s.out(2) - x, stop - pixel);
      const std::size_t line = pixel / s.out(2);
      add_row(s, input_row(s, line / s.out(1), line % s.out(1), tap), x, length, tap, runs);
      pixel += length;
    }
    runs.add(kOutside, filled - runs.to);
  }
}

// Whole vectors, the last one overlapping the one before: never beyond `n`.
HWY_INLINE void copy_run(const float* from, std::size_t n, float* to) {
  const F f;
  if (n >= kLanes) {
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) hn::StoreU(hn::LoadU(f, from + i), f, to + i);
    if (i < n) hn::StoreU(hn::LoadU(f, from + n - kLanes), f, to + n - kLanes);
    return;
  }
#if GODWIT_HAS_F16C
  const hn::Full128<float> four;
  if (n >= 4) {
    for (std::size_t i = 0; i + 4 <= n; i += 4) {
      hn::StoreU(hn::LoadU(four, from + i), four, to + i);
    }
    hn::StoreU(hn::LoadU(four, from + n - 4), four, to + n - 4);
    return;
  }
#endif
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

// Every second element of two vectors.
HWY_INLINE VF load_second(const float* from) {
  VF even;
  VF odd;
  hn::LoadInterleaved2(F(), from, even, odd);
  return even;
}

// Every `step`th of the floats at `from`, of which `left` belong to the plane.
HWY_INLINE void copy_strided(const float* from, std::size_t step, std::size_t left, std::size_t n,
                             float* to) {
  std::size_t i = 0;
  for (; step == 2 && i + kLanes <= n && 2 * (i + kLanes) <= left; i += kLanes) {
    hn::StoreU(load_second(from + 2 * i), F(), to + i);
  }
  for (; i < n; ++i) to[i] = from[i * step];
}

HWY_INLINE void gather_row(const ConvShape& s, const Runs& runs, const float* channel, float* row) {
  const std::size_t step = s.stride[2];
  const std::size_t plane = s.in_pixels();
  for (std::size_t r = 0; r < runs.count; ++r) {
    const Run& run = runs.run[r];
    float* const to = row + run.to;
    if (run.source == kOutside) {
      std::fill(to, to + run.length, 0.0f);
    } else if (step == 1) {
      copy_run(channel + run.source, run.length, to);
    } else {
      copy_strided(channel + run.source, step, plane - run.source, run.length, to);
    }
  }
}

// Channels [first, first + n) under one tap, as far as they lie in the block of K.
void gather_channels(const ConvShape& s, const Gather& what, const Runs& runs, std::size_t tap,
                     std::size_t first, std::size_t n, float* panels, std::size_t width) {
  const std::size_t k = place_along_k(s, what.in_sixteens, first, tap);
  const std::size_t from = std::max(k, what.k0);
  const std::size_t to = std::min(k + n, what.k0 + what.depth);
  for (std::size_t at = from; at < to; ++at) {
    gather_row(s, runs, what.image + (first + at - k) * s.in_pixels(),
               panels + (at - what.k0) * width);
  }
}

void gather(const ConvShape& s, const Gather& what, float* panels, std::size_t width) {
  const std::size_t channels = s.group_channels();
  const std::size_t end = what.k0 + what.depth;
  Runs runs;
  if (!what.in_sixteens) {
    for (std::size_t tap = what.k0 / channels; tap * channels < end; ++tap) {
      find_runs(s, what, tap, width, runs);
      gather_channels(s, what, runs, tap, 0, channels, panels, width);
    }
    return;
  }
  const std::size_t taps = s.taps();
  const std::size_t stop = std::min(channels, (end + taps - 1) / taps);
  for (std::size_t tap = 0; tap < taps; ++tap) {
    bool is_found = false;
    for (std::size_t first = what.k0 / taps / kFractal * kFractal; first < stop;
         first += kFractal) {
      const std::size_t n = std::min(kFractal, channels - first);
      const std::size_t k = place_along_k(s, true, first, tap);
      if (k >= end || k + n <= what.k0) continue;
      if (!is_found) find_runs(s, what, tap, width, runs);
      is_found = true;
      gather_channels(s, what, runs, tap, first, n, panels, width);
    }
  }
}

// One vector of outputs: `padded` is under its first tap. A step of 2 reads a float too many.
template <std::size_t kStep>
HWY_INLINE VF depthwise_lanes(const ConvShape& s, const std::size_t (&strides)[2],
                              const float* padded, const float* taps) {
  const F f;
  VF sum = hn::Zero(f);
  for (std::size_t z = 0; z < s.kernel[0]; ++z) {
    for (std::size_t y = 0; y < s.kernel[1]; ++y) {
      const float* row = padded + z * s.dilation[0] * strides[0] + y * s.dilation[1] * strides[1];
      for (std::size_t x = 0; x < s.kernel[2]; ++x, row += s.dilation[2]) {
        const VF value = kStep == 1 ? hn::LoadU(f, row) : load_second(row);
        sum = hn::MulAdd(hn::Set(f, *taps++), value, sum);
      }
    }
  }
  return sum;
}

float depthwise_one(const ConvShape& s, const std::size_t (&strides)[2], const float* padded,
                    const float* taps) {
  VF sum = hn::Zero(F());
  for (std::size_t z = 0; z < s.kernel[0]; ++z) {
    for (std::size_t y = 0; y < s.kernel[1]; ++y) {
      const float* row = padded + z * s.dilation[0] * strides[0] + y * s.dilation[1] * strides[1];
      for (std::size_t x = 0; x < s.kernel[2]; ++x, row += s.dilation[2]) {
        sum = hn::MulAdd(hn::Set(F(), *taps++), hn::Set(F(), *row), sum);
      }
    }
  }
  return hn::GetLane(sum);
}

// Three by three taps, the usual kernel, held in registers while the row runs.
template <std::size_t kStep>
HWY_INLINE void depthwise_row_of_nine(std::size_t down, const float* padded, const float* taps,
                                      float* out, std::size_t n) {
  const F f;
  VF factor[9];
  GODWIT_UNROLL
  for (std::size_t i = 0; i < 9; ++i) factor[i] = hn::Set(f, taps[i]);
  for (std::size_t x = 0; x < n; x += kLanes) {
    x = std::min(x, n - kLanes);
    VF sum = hn::Zero(f);
    GODWIT_UNROLL
    for (std::size_t i = 0; i < 9; ++i) {
      const float* const at = padded + x * kStep + i / 3 * down + i % 3;
      sum = hn::MulAdd(factor[i], kStep == 1 ? hn::LoadU(f, at) : load_second(at), sum);
    }
    hn::StoreU(sum, f, out + x);
  }
}

// The last vector of a row overlaps the one before; narrow rows and wide steps go one by one.
template <std::size_t kStep>
HWY_INLINE void depthwise_row(const ConvShape& s, const std::size_t (&strides)[2],
                              const float* padded, const float* taps, float* out, std::size_t n) {
  constexpr ConvShape::Axes kNine{1, 3, 3};
  if (n < kLanes) {
    for (std::size_t x = 0; x < n; ++x)
      out[x] = depthwise_one(s, strides, padded + x * kStep, taps);
  } else if (s.kernel == kNine && s.dilation[2] == 1) {
    depthwise_row_of_nine<kStep>(s.dilation[1] * strides[1], padded, taps, out, n);
  } else {
    for (std::size_t x = 0; x < n; x += kLanes) {
      x = std::min(x, n - kLanes);
      hn::StoreU(depthwise_lanes<kStep>(s, strides, padded + x * kStep, taps), F(), out + x);
    }
  }
}

void depthwise(const ConvShape& s, const float* padded, const float* taps, float* out) {
  const std::size_t width = s.in[2] + s.pad_begin[2] + s.pad_end[2];
  const std::size_t height = s.in[1] + s.pad_begin[1] + s.pad_end[1];
  const std::size_t strides[2] = {width * height, width};
  const std::size_t n = s.out(2);
  const std::size_t rows = s.out(0) * s.out(1);
  for (std::size_t row = 0; row < rows; ++row, out += n) {
    const float* const from = padded + row / s.out(1) * s.stride[0] * strides[0] +
                              row % s.out(1) * s.stride[1] * strides[1];
    if (s.stride[2] == 1) {
      depthwise_row<1>(s, strides, from, taps, out, n);
    } else if (s.stride[2] == 2) {
      depthwise_row<2>(s, strides, from, taps, out, n);
    } else {
      for (std::size_t x = 0; x < n; ++x) {
        out[x] = depthwise_one(s, strides, from + x * s.stride[2], taps);
      }
    }
  }
}

void finish(float* values, std::size_t n, const Epilogue& epilogue, std::size_t channel,
            std::size_t offset, Losses& losses) {
  const float bias = epilogue.row_bias == nullptr ? 0.0f : epilogue.row_bias[channel];
  finish_row(values, n, epilogue, bias, 0, offset, losses);
}

}  // namespace

extern const ConvLoops kConvLoops;
const ConvLoops kConvLoops = {.gather = gather, .depthwise = depthwise, .finish = finish};

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace godwit::kernels {

const ConvLoops& conv_loops() { return GODWIT_AT_LEVEL(kConvLoops); }

}  // namespace godwit::kernels
#endif
