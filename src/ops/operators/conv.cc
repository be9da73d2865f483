// Convolution: every filter slides over the images of its group of channels.
#include "ops/convolution.h"
#include "ops/expect.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const Convolution sizes, read_convolution(call, 0, 1));
  ASSIGN(const std::span<T> y, call.make<T>(0, sizes.output()));
  if (call.has_input(2)) {
    TRY(expect_sizes(call, 2, {call.input(1).dims()[0]}));
    const std::span<const T> bias = call.values<T>(2);
    for_each_lane(sizes.output(), 1, [&](const Lane& lane) {
      for (std::size_t m = 0; m < lane.count; ++m) y[lane[m]] = bias[m];
    });
  }
  convolve<T>(sizes, call.values<T>(0), call.values<T>(1), y);
  return {};
}

}  // namespace

extern const Operator conv = {
    .name = "Conv",
    .doc = "Convolution of images with filters, in groups of channels.",
    .inputs = {{"X", 'T', floats(22)}, {"W", 'T', floats(22)}, {"B", 'T', floats(22), kOptional}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{"auto_pad", "NOTSET"},
                   {"dilations"},
                   {"group", 1},
                   {"kernel_shape"},
                   {"pads"},
                   {"strides"}},
    .revisions = {11, 22},
    .numerics = Numerics::kMatrix,
    .infer = [](Inference& n) { return infer_convolution(n, 0, 1, n.element(0)); },
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .flop = convolution_flop<1>,
};

}  // namespace godwit::ops::operators
