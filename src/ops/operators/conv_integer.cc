// Convolution of eight-bit numbers in 32 bits.
#include "ops/convolution.h"
#include "ops/quantize.h"

namespace godwit::ops::operators {
namespace {

// Padding has the value of the zero point, which is zero after it is taken off.
Status evaluate(Call& call) {
  ASSIGN(const Convolution sizes, read_convolution(call, 0, 1));
  ASSIGN(const std::vector<double> x, centred(call, 0, 2, 1));
  ASSIGN(const std::vector<double> w, centred(call, 1, 3, 0));
  ASSIGN(Tensor* const y, call.make(0, ElementType::kInt32, sizes.output()));
  std::vector<double> sums(static_cast<std::size_t>(y->count()));
  convolve<double>(sizes, x, w, sums);
  for (std::size_t i = 0; i < sums.size(); ++i)
    store_cast(ElementType::kInt32, y->mutable_data(), i, sums[i], {});
  return {};
}

}  // namespace

extern const Operator conv_integer = {
    .name = "ConvInteger",
    .doc = "Convolution of eight-bit numbers minus their zero points, summed in 32 bits.",
    .since = 10,
    .inputs = {{"x", 'X', kBytes},
               {"w", 'W', kBytes},
               {"x_zero_point", 'X', kBytes, kOptional},
               {"w_zero_point", 'W', kBytes, kOptional}},
    .outputs = {{"y", 'Y', kInt32}},
    .attributes = {{"auto_pad", "NOTSET"},
                   {"dilations"},
                   {"group", 1},
                   {"kernel_shape"},
                   {"pads"},
                   {"strides"}},
    .numerics = Numerics::kQuantize,
    .infer = [](Inference& n) { return infer_convolution(n, 0, 1, ElementType::kInt32); },
    .evaluate = evaluate,
    .flop = convolution_flop<1>,
};

}  // namespace godwit::ops::operators
