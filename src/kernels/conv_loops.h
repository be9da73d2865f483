// The inner loops of convolutions at one SIMD level.
#pragma once

#include <cstddef>

#include "kernels/conv.h"

namespace godwit::kernels {

/// Pixels that are gathered at once, at most.
inline constexpr std::size_t kGatherPixels = 256;

/// Pixels [first, first + count) of a group's image under K [k0, k0 + depth), where K counts the
/// kernel's taps and within them the channels; `in_sixteens`, sixteens of channels, within them the
/// taps, within those the channels.
struct Gather {
  const float* image = nullptr;  // the first channel of the group
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t k0 = 0;
  std::size_t depth = 0;
  bool in_sixteens = false;
};

/// Where channel and tap stand along K.
inline std::size_t place_along_k(const ConvShape& s, bool in_sixteens, std::size_t channel,
                                 std::size_t tap) {
  const std::size_t channels = s.group_channels();
  if (!in_sixteens) return tap * channels + channel;
  const std::size_t first = channel / kFractal * kFractal;
  const std::size_t some = channels - first < kFractal ? channels - first : kFractal;
  return first * s.taps() + tap * some + channel - first;
}

struct ConvLoops {
  /// Fills panel[depth][width] with the input under each pixel; 0 in the padding and beyond
  /// `count`.
  void (*gather)(const ConvShape& shape, const Gather& what, float* panel, std::size_t width);

  /// One plane of a depthwise convolution from a plane whose padding is written out.
  void (*depthwise)(const ConvShape& shape, const float* padded, const float* taps, float* out);

  /// A row of `n` outputs in place: values, epilogue, channel, place from the output's start.
  void (*finish)(float* values, std::size_t n, const Epilogue& epilogue, std::size_t channel,
                 std::size_t offset, Losses& losses);
};

const ConvLoops& conv_loops();

}  // namespace godwit::kernels
