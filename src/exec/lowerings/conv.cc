// Convolution with constant weights, packed once.
#include "kernels/conv.h"
#include "base/parallel.h"
#include "exec/lowering.h"
#include "ops/window.h"

namespace godwit::exec::lowerings {
namespace {

using ir::Sizes;
namespace engine = kernels::engine;

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

// The tail in the engine's terms, but for the residual.
std::vector<engine::PostOp> activation_of(const Tail& tail) {
  using Kind = engine::PostOp::Kind;
  switch (tail.activation) {
    case kernels::Activation::kNone: return {};
    case kernels::Activation::kRelu: return {{.kind = Kind::kRelu}};
    case kernels::Activation::kLeakyRelu: return {{.kind = Kind::kRelu, .a = tail.low}};
    case kernels::Activation::kClip: break;
  }
  return {{.kind = Kind::kClip, .a = tail.low, .b = tail.high}};
}

// oneDNN chooses the order of its image and of its result; a residual is brought into the latter.
Result<Step> make_by_engine(const Part& part, const kernels::ConvShape& shape, const float* weights,
                            const float* bias) {
  if (!engine::is_available()) return Step();
  const bool may_block = part.layouts().may_be_blocked(part.output());
  const engine::Layout row_major = engine_layout(*part.sizes(part.output()));
  std::vector<engine::PostOp> post = activation_of(part.tail());
  auto conv =
      engine::make_conv(shape, weights, bias, post, {}, may_block ? engine::Layout() : row_major);
  if (!conv) return Step();
  const engine::Layout result = conv->out();
  if (part.tail().residual != ir::kNone) {
    post.insert(post.begin(), {.kind = engine::PostOp::Kind::kAdd, .other = result});
    conv = engine::make_conv(shape, weights, bias, post, conv->in(), result);
    if (!conv) return Step();
  }
  ASSIGN(const ir::ValueId in, part.reads(part.input(0), conv->in()));
  ASSIGN(const ir::ValueId residual, part.reads(part.tail().residual, result));
  if (!result.is_plain()) part.layouts().set(part.output(), result);
  return Step([conv = *conv, in, residual, out = part.output(),
               store = part.store()](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    const float* const more = residual == ir::kNone ? nullptr : frame.read<float>(residual);
    conv.run(frame.read<float>(in), to, std::span(&more, more ? 1 : 0));
    if (!(store.how == kernels::Narrowing{}))
      kernels::narrow(to, to, conv.out().bytes() / sizeof(float), store.how);
    return {};
  });
}

Result<Step> make_portable(const Part& part, const kernels::ConvShape& shape, const float* weights,
                           const float* bias) {
  auto conv = std::make_shared<const kernels::Conv>(shape, weights);
  kernels::Epilogue epilogue = part.epilogue(BiasAxis::kChannel);
  if (bias) epilogue.row_bias = bias;
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  ASSIGN(const ir::ValueId residual, part.reads(part.tail().residual));
  return Step([=, out = part.output()](Frame& frame) mutable -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    if (residual != ir::kNone) epilogue.residual = frame.read<float>(residual);
    conv->run(frame.read<float>(in), to, epilogue, frame.scratch(conv->scratch(thread_count())));
    return {};
  });
}

Result<Step> make(const Part& part) {
  const auto image = part.sizes(part.input(0)), sizes = part.sizes(part.input(1));
  const float* const weights = part.floats(part.input(1));
  const bool has_bias = part.input(2) != ir::kNone;
  const float* bias = part.floats(part.input(2));
  if (!image || !sizes || !weights || (has_bias && !bias)) return Step();
  if (has_bias && part.tail().bias != ir::kNone) return Step();
  if (!bias) bias = part.floats(part.tail().bias);
  ASSIGN(const std::optional<kernels::ConvShape> shape, shape_of(part, *image, *sizes));
  if (!shape) return Step();
  ASSIGN(Step step, make_by_engine(part, *shape, weights, bias));
  return step ? Result<Step>(std::move(step)) : make_portable(part, *shape, weights, bias);
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
