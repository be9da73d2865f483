// Convolution on the cube: channels in sixteens, the bias added in fp32.
#include "kernels/conv.h"
#include "base/parallel.h"
#include "exec/sequence.h"
#include "ops/convolution.h"

namespace godwit::exec::sequences {
namespace {

constexpr std::size_t kMostAxes = 3;  // of kernels::ConvShape

kernels::ConvShape shape_of(const ops::Convolution& sizes) {
  kernels::ConvShape out{.batch = sizes.batch,
                         .channels = sizes.channels,
                         .out_channels = sizes.filters,
                         .groups = sizes.groups};
  const std::size_t rank = sizes.image.size();
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis = kMostAxes - rank + i;
    const auto number = [](std::int64_t value) { return static_cast<std::size_t>(value); };
    out.in[axis] = number(sizes.image[i]);
    out.kernel[axis] = number(sizes.window.kernel[i]);
    out.stride[axis] = number(sizes.window.strides[i]);
    out.dilation[axis] = number(sizes.window.dilations[i]);
    out.pad_begin[axis] = number(sizes.window.begin(i, sizes.image[i]));
    out.pad_end[axis] = number(sizes.window.end(i, sizes.image[i]));
  }
  return out;
}

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  if (call.input(0).type() != ir::ElementType::kFloat) return call.op().evaluate(call);
  ASSIGN(const ops::Convolution sizes, ops::read_convolution(call, 0, 1));
  const std::size_t rank = sizes.image.size();
  const bool has_bias = call.has_input(2);
  const bool fits = !has_bias || call.input(2).dims() == ir::Sizes{call.input(1).dims()[0]};
  if (rank == 0 || rank > kMostAxes || !fits) return call.op().evaluate(call);
  ASSIGN(const ir::Tensor x, cube_operand(step, 0, step.chip.conv_input));
  ASSIGN(const ir::Tensor w, cube_operand(step, 1, step.chip.conv_input));
  ASSIGN(const std::span<float> y, call.make<float>(0, sizes.output()));
  kernels::Epilogue epilogue{.losses = &step.losses};
  if (has_bias) epilogue.row_bias = call.values<float>(2).data();
  const kernels::ConvShape shape = shape_of(sizes);
  const float* const image = x.values<float>().data();
  const float* const weights = w.values<float>().data();
  const std::optional<kernels::Summation> order = summation(step);
  if (!order) {
    const kernels::Conv conv(shape, weights);
    const kernels::Buffer scratch(conv.scratch(thread_count()));
    conv.run(image, y.data(), epilogue, scratch.data());
    return {};
  }
  kernels::ordered_conv(shape, image, weights, y.data(), epilogue, *order);
  return {};
}

}  // namespace

extern const Sequence conv = {.op = "Conv", .run = run};

}  // namespace godwit::exec::sequences
