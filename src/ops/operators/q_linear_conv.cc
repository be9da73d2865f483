// Convolution of quantized images, quantized again.
#include "ops/convolution.h"
#include "ops/expect.h"
#include "ops/quantize.h"

namespace godwit::ops::operators {
namespace {

enum Input : std::size_t { kX, kXScale, kXZero, kW, kWScale, kWZero, kYScale, kYZero, kBias };

Status evaluate(Call& call) {
  ASSIGN(const Convolution sizes, read_convolution(call, kX, kW));
  ASSIGN(const std::vector<double> x, centred(call, kX, kXZero, 1));
  ASSIGN(const std::vector<double> w, centred(call, kW, kWZero, 0));
  ASSIGN(const double x_scale, call.scalar(kXScale));
  ASSIGN(const double y_scale, call.scalar(kYScale));
  ASSIGN(const double zero, call.scalar(kYZero));
  const Sizes channels = {static_cast<std::int64_t>(sizes.filters)};
  ASSIGN(const std::vector<double> w_scale, spread(call, kWScale, channels, 0));
  std::vector<double> bias(sizes.filters, 0);
  if (call.has_input(kBias)) {
    ASSIGN(bias, spread(call, kBias, channels, 0));
  }
  ASSIGN(Tensor* const y, call.make(0, call.input(kYZero).type(), sizes.output()));
  std::vector<double> sums(static_cast<std::size_t>(y->count()));
  convolve<double>(sizes, x, w, sums);
  const auto volume = static_cast<std::size_t>(product(sizes.positions, 0, sizes.positions.size()));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t m = i / volume % sizes.filters;
    const double value = (sums[i] + bias[m]) * (x_scale * w_scale[m] / y_scale);
    store_quantized(y->type(), y->mutable_data(), i, value, zero);
  }
  return {};
}

}  // namespace

extern const Operator q_linear_conv = {
    .name = "QLinearConv",
    .doc = "Convolution of quantized numbers, quantized by the scale of the result.",
    .since = 10,
    .inputs = {{"x", 'X', kBytes},
               {"x_scale", 'S', kFloat},
               {"x_zero_point", 'X', kBytes},
               {"w", 'W', kBytes},
               {"w_scale", 'S', kFloat},
               {"w_zero_point", 'W', kBytes},
               {"y_scale", 'S', kFloat},
               {"y_zero_point", 'Y', kBytes},
               {"B", 'B', kInt32, kOptional}},
    .outputs = {{"y", 'Y', kBytes}},
    .attributes = {{"auto_pad", "NOTSET"},
                   {"dilations"},
                   {"group", 1},
                   {"kernel_shape"},
                   {"pads"},
                   {"strides"}},
    .numerics = Numerics::kQuantize,
    .infer = [](Inference& n) { return infer_convolution(n, kX, kW, n.element(kYZero)); },
    .evaluate = evaluate,
    .flop = convolution_flop<kW>,
};

}  // namespace godwit::ops::operators
