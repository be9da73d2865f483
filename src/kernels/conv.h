// Convolutions in fp32, channels before pixels (NCHW and its kin of one or three dimensions).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/epilogue.h"
#include "kernels/gemm.h"

namespace godwit::kernels {

/// Up to three spatial axes; those that are not there keep their defaults. Two dimensions use the
/// last two. Input [batch][channels][in...], weights [out_channels][channels / groups][kernel...],
/// output [batch][out_channels][out...], all dense. `groups` divides both numbers of channels.
struct ConvShape {
  using Axes = std::array<std::size_t, 3>;
  std::size_t batch = 1;
  std::size_t channels = 1;
  std::size_t out_channels = 1;
  std::size_t groups = 1;
  Axes in{1, 1, 1};
  Axes kernel{1, 1, 1};
  Axes stride{1, 1, 1};
  Axes dilation{1, 1, 1};
  Axes pad_begin{};
  Axes pad_end{};

  /// 0 where the kernel is wider than the padded input.
  std::size_t out(std::size_t axis) const;
  std::size_t in_pixels() const { return in[0] * in[1] * in[2]; }
  std::size_t out_pixels() const { return out(0) * out(1) * out(2); }
  std::size_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  std::size_t group_channels() const { return channels / groups; }
  std::size_t group_outputs() const { return out_channels / groups; }
};

/// A convolution whose weights are packed. Depthwise ones (one channel in and out of each group)
/// run directly; the others are products whose right side is gathered from the input panel by
/// panel. Sums run over the kernel's taps, within them over the channels, in gemm's blocks, with
/// gemm's bound on the error; depthwise over the taps. The bits depend on no number of threads.
///
/// With an order, the products of each output run as the cube reads them: channels in sixteens (the
/// last may be shorter), within them the taps, within those the channels. Bit-equal to
/// ref::ordered_conv, at every SIMD level where products are exact.
class Conv {
 public:
  /// `weights` may be released afterwards.
  Conv(const ConvShape& shape, const float* weights, const std::optional<Summation>& order = {});

  const ConvShape& shape() const { return shape_; }

  /// Floats that `run` needs as scratch for at most `threads` threads.
  std::size_t scratch(std::size_t threads) const;

  /// `out` must not overlap `in`. Rows of the epilogue are output channels; the residual has the
  /// output's layout. `scratch` holds scratch(thread_count()) floats.
  void run(const float* in, float* out, const Epilogue& epilogue, float* scratch) const;

 private:
  void run_empty(float* out, const Epilogue& epilogue) const;
  void run_depthwise(const float* in, float* out, const Epilogue& epilogue, float* scratch) const;
  void run_product(const float* in, float* out, const Epilogue& epilogue, float* scratch) const;
  void pack(const float* weights);
  std::size_t strip_panels() const;

  ConvShape shape_;  // as it is computed: without kernel and pads, all pixels are one row
  std::optional<Summation> order_;
  std::size_t depth_ = 0;  // of a block of K
  bool is_depthwise_;
  std::vector<PackedMatrix> weights_;  // one for each group
  std::vector<float> taps_;            // of a depthwise convolution
};

namespace ref {

/// Sums in double, rounded once before the epilogue; counts no losses.
void conv(const ConvShape& shape, const float* in, const float* weights, float* out,
          const Epilogue& epilogue);

/// Counts no losses.
void ordered_conv(const ConvShape& shape, const float* in, const float* weights, float* out,
                  const Epilogue& epilogue, Summation how);

}  // namespace ref
}  // namespace godwit::kernels
