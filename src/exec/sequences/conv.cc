// Convolution on the cube: channels in sixteens, the bias added in fp32.
#include "kernels/conv.h"
#include "base/parallel.h"
#include "exec/conv_shape.h"
#include "exec/sequence.h"

namespace godwit::exec::sequences {
namespace {

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  if (call.input(0).type() != ir::ElementType::kFloat) return call.op().evaluate(call);
  ASSIGN(const ops::Convolution sizes, ops::read_convolution(call, 0, 1));
  kernels::ConvShape shape;
  const bool has_bias = call.has_input(2);
  const bool fits = !has_bias || call.input(2).dims() == ir::Sizes{call.input(1).dims()[0]};
  if (!set_shape(sizes, shape) || !fits) return call.op().evaluate(call);
  ASSIGN(const ir::Tensor x, cube_operand(step, 0, step.chip.conv_input));
  ASSIGN(const ir::Tensor w, cube_operand(step, 1, step.chip.conv_input));
  ASSIGN(const std::span<float> y, call.make<float>(0, sizes.output()));
  kernels::Epilogue epilogue{.losses = &step.losses};
  if (has_bias) epilogue.row_bias = call.values<float>(2).data();
  const float* const image = x.values<float>().data();
  const float* const weights = w.values<float>().data();
  const kernels::Conv conv(shape, weights, summation(step));
  const kernels::Buffer scratch(conv.scratch(thread_count()));
  conv.run(image, y.data(), epilogue, scratch.data());
  return {};
}

}  // namespace

extern const Sequence conv = {.op = "Conv", .run = run};

}  // namespace godwit::exec::sequences
