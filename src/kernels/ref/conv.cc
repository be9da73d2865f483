// Convolutions one output at a time: the definition, for tests and for whoever doubts the fast
// ones.
#include "kernels/conv.h"

#include <algorithm>

namespace godwit::kernels::ref {
namespace {

struct Output {
  std::size_t item, channel, z, y, x;
};

// The input under a tap, or 0 in the padding.
float input_at(const ConvShape& s, const float* in, const Output& at, std::size_t channel,
               std::size_t tap) {
  const std::size_t place[3] = {at.z, at.y, at.x};
  const std::size_t taps[3] = {tap / (s.kernel[1] * s.kernel[2]), tap / s.kernel[2] % s.kernel[1],
                               tap % s.kernel[2]};
  std::size_t pixel = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t padded = place[axis] * s.stride[axis] + taps[axis] * s.dilation[axis];
    if (padded < s.pad_begin[axis] || padded - s.pad_begin[axis] >= s.in[axis]) return 0;
    pixel = pixel * s.in[axis] + padded - s.pad_begin[axis];
  }
  const std::size_t first = at.channel / s.group_outputs() * s.group_channels();
  return in[(at.item * s.channels + first + channel) * s.in_pixels() + pixel];
}

template <class Sum>
void for_each_output(const ConvShape& s, float* out, const Epilogue& epilogue, const Sum& sum) {
  const std::size_t pixels = s.out_pixels();
  for (std::size_t plane = 0; plane < s.batch * s.out_channels; ++plane) {
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      const Output at{.item = plane / s.out_channels,
                      .channel = plane % s.out_channels,
                      .z = pixel / (s.out(1) * s.out(2)),
                      .y = pixel / s.out(2) % s.out(1),
                      .x = pixel % s.out(2)};
      const std::size_t offset = plane * pixels + pixel;
      out[offset] = finish(sum(at), epilogue, at.channel, pixel, offset);
    }
  }
}

}  // namespace

void conv(const ConvShape& shape, const float* in, const float* weights, float* out,
          const Epilogue& epilogue) {
  for_each_output(shape, out, epilogue, [&](const Output& at) {
    const float* weight = weights + at.channel * shape.group_channels() * shape.taps();
    double sum = 0;
    for (std::size_t channel = 0; channel < shape.group_channels(); ++channel) {
      for (std::size_t tap = 0; tap < shape.taps(); ++tap) {
        sum += double{input_at(shape, in, at, channel, tap)} * double{*weight++};
      }
    }
    return static_cast<float>(sum);
  });
}

void ordered_conv(const ConvShape& shape, const float* in, const float* weights, float* out,
                  const Epilogue& epilogue, Summation how) {
  const std::size_t channels = shape.group_channels();
  for_each_output(shape, out, epilogue, [&](const Output& at) {
    OrderedSum sum(how);
    for (std::size_t first = 0; first < channels; first += kFractal) {
      const std::size_t some = std::min(kFractal, channels - first);
      for (std::size_t tap = 0; tap < shape.taps(); ++tap) {
        float values[kFractal];
        for (std::size_t i = 0; i < some; ++i) {
          values[i] = input_at(shape, in, at, first + i, tap);
        }
        const float* const factors = weights + (at.channel * channels + first) * shape.taps() + tap;
        sum.add(some, factors, shape.taps(), values, 1);
      }
    }
    return sum.result();
  });
}

}  // namespace godwit::kernels::ref
