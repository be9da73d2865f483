// Convolution with constant weights, packed once.
#include "kernels/conv.h"
#include "base/parallel.h"
#include "exec/lowering.h"
#include "ops/window.h"

namespace godwit::exec::lowerings {
namespace {

using ir::Sizes;

// The spatial axes are the last ones of the three that the kernel knows.
Result<std::optional<kernels::ConvShape>> shape_of(const Part& part, const Sizes& image,
                                                   const Sizes& weights) {
  const std::size_t axes = image.size() - 2;
  if (image.size() < 3 || axes > 3 || weights.size() != image.size()) return std::nullopt;
  ASSIGN(const ops::Window window,
         ops::read_window(part, ops::Ints(weights.begin() + 2, weights.end())));
  kernels::ConvShape out;
  out.batch = static_cast<std::size_t>(image[0]);
  out.channels = static_cast<std::size_t>(image[1]);
  out.out_channels = static_cast<std::size_t>(weights[0]);
  out.groups = static_cast<std::size_t>(part.integer("group"));
  if (out.groups == 0 || out.groups * static_cast<std::size_t>(weights[1]) != out.channels ||
      out.out_channels % out.groups != 0)
    return std::nullopt;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::size_t axis = 3 - axes + i;
    const std::int64_t begin = window.begin(i, image[i + 2]), end = window.end(i, image[i + 2]);
    if (begin < 0 || end < 0) return std::nullopt;
    out.in[axis] = static_cast<std::size_t>(image[i + 2]);
    out.kernel[axis] = static_cast<std::size_t>(window.kernel[i]);
    out.stride[axis] = static_cast<std::size_t>(window.strides[i]);
    out.dilation[axis] = static_cast<std::size_t>(window.dilations[i]);
    out.pad_begin[axis] = static_cast<std::size_t>(begin);
    out.pad_end[axis] = static_cast<std::size_t>(end);
  }
  return out;
}

Result<Step> make(const Part& part) {
  const auto image = part.sizes(part.input(0)), sizes = part.sizes(part.input(1));
  const float* const weights = part.floats(part.input(1));
  const bool has_bias = part.input(2) != ir::kNone;
  const float* const bias = part.floats(part.input(2));
  if (!image || !sizes || !weights || (has_bias && !bias)) return Step();
  if (has_bias && part.tail().bias != ir::kNone) return Step();
  ASSIGN(const std::optional<kernels::ConvShape> shape, shape_of(part, *image, *sizes));
  if (!shape) return Step();
  auto conv = std::make_shared<const kernels::Conv>(*shape, weights);
  kernels::Epilogue epilogue = part.epilogue(BiasAxis::kChannel);
  if (has_bias) epilogue.row_bias = bias;
  const ir::ValueId in = part.input(0), out = part.output(), residual = part.tail().residual;
  return Step([=](Frame& frame) mutable -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    if (residual != ir::kNone) epilogue.residual = frame.read<float>(residual);
    conv->run(frame.read<float>(in), to, epilogue, frame.scratch(conv->scratch(thread_count())));
    return {};
  });
}

}  // namespace

extern const Lowering conv = {
    .ops = {"Conv"},
    .bias = BiasAxis::kChannel,
    .takes_residual = true,
    .takes_activation = true,
    .make = make,
};

}  // namespace godwit::exec::lowerings
