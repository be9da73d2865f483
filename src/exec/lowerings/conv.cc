// Convolution with constant weights, packed once.
#include "kernels/conv.h"
#include "base/parallel.h"
#include "exec/conv_shape.h"
#include "exec/cube.h"

namespace godwit::exec::lowerings {
namespace {

using ir::Sizes;
namespace engine = kernels::engine;

Result<std::optional<kernels::ConvShape>> shape_of(const Part& part, const Sizes& image,
                                                   const Sizes& weights) {
  if (image.size() < 3 || weights.size() != image.size()) return std::nullopt;
  ASSIGN(const ops::Window window,
         ops::read_window(part, ops::Ints(weights.begin() + 2, weights.end())));
  kernels::ConvShape out;
  out.batch = static_cast<std::size_t>(image[0]);
  out.channels = static_cast<std::size_t>(image[1]);
  out.out_channels = static_cast<std::size_t>(weights[0]);
  out.groups = static_cast<std::size_t>(part.integer("group"));
  if (out.groups == 0 || out.groups * static_cast<std::size_t>(weights[1]) != out.channels ||
      out.out_channels % out.groups != 0 || !set_axes(window, ops::spatial(image), out))
    return std::nullopt;
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
  const bool has_residual = part.tail().residual != ir::kNone;
  // The first of two only says how the result lies: it needs no weights of its own.
  auto conv = engine::make_conv(shape, has_residual ? nullptr : weights, bias, post, {},
                                may_block ? engine::Layout() : row_major);
  if (!conv) return Step();
  const engine::Layout result = conv->out();
  if (has_residual) {
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

// What a convolution with constant weights is made of.
struct Problem {
  kernels::ConvShape shape{};
  const float* weights = nullptr;
  const float* bias = nullptr;  // null: none
};

Result<std::optional<Problem>> problem_of(const Part& part) {
  const auto image = part.sizes(part.input(0)), sizes = part.sizes(part.input(1));
  Problem out{.weights = part.floats(part.input(1)), .bias = part.floats(part.input(2))};
  const bool has_bias = part.input(2) != ir::kNone;
  if (!image || !sizes || !out.weights || (has_bias && !out.bias)) return std::nullopt;
  if (has_bias && part.tail().bias != ir::kNone) return std::nullopt;
  if (!out.bias) out.bias = part.floats(part.tail().bias);
  ASSIGN(const std::optional<kernels::ConvShape> shape, shape_of(part, *image, *sizes));
  if (!shape) return std::nullopt;
  out.shape = *shape;
  return std::optional(out);
}

Result<Step> make(const Part& part) {
  ASSIGN(const std::optional<Problem> p, problem_of(part));
  if (!p) return Step();
  part.packed(part.input(1));
  ASSIGN(Step step, make_by_engine(part, p->shape, p->weights, p->bias));
  return step ? Result<Step>(std::move(step)) : make_portable(part, p->shape, p->weights, p->bias);
}

/// One convolution on the chip: reads its image as the cube does, convolves, stores, goes on along
/// the chain.
struct OnChip {
  Cube cube;
  kernels::ConvShape shape;
  kernels::Losses weight_losses{};
  std::optional<ChainStep> chain{};
  ir::ValueId in = ir::kNone, out = ir::kNone;

  std::size_t image() const { return shape.batch * shape.channels * shape.in_pixels(); }

  template <class Convolve>
  Status run(Frame& frame, std::size_t scratch, Convolve&& convolve) const {
    ASSIGN(float* const to, frame.write<float>(out));
    const std::size_t room = cube.reads_stored() ? 0 : image();
    float* const free = frame.scratch(room + scratch);
    cube.add(weight_losses);
    convolve(cube.read(frame.read<float>(in), image(), free), to, free + room);
    if (!chain->is_empty()) chain->run(frame, to, to);
    return {};
  }
};

Result<Step> make_on_chip_by_engine(const Part& part, const Problem& p, OnChip chip) {
  if (!engine::is_available() || !chip.cube.reads_stored()) return Step();
  const engine::Layout row_major = engine_layout(*part.sizes(part.output()));
  engine::Layout wanted =
      part.layouts().may_be_blocked(part.output()) ? engine::Layout() : row_major;
  auto conv = engine::make_conv(p.shape, p.weights, p.bias, {}, {}, wanted);
  if (!conv) return Step();
  ASSIGN(chip.chain, ChainStep::make(part, conv->out(), true));
  if (!chip.chain) {
    conv = engine::make_conv(p.shape, p.weights, p.bias, {}, conv->in(), row_major);
    if (!conv) return Step();
    ASSIGN(chip.chain, ChainStep::make(part, conv->out(), true));
  }
  if (!chip.chain) return Step();
  ASSIGN(chip.in, part.reads(part.input(0), conv->in()));
  if (!conv->out().is_plain()) part.layouts().set(part.output(), conv->out());
  return Step([conv = *conv, chip](Frame& frame) {
    return chip.run(frame, 0, [&](const float* in, float* out, float*) { conv.run(in, out); });
  });
}

Result<Step> make_on_chip(const Part& part) {
  ASSIGN(const std::optional<Problem> found, problem_of(part));
  if (!found) return Step();
  Problem p = *found;
  OnChip chip{
      .cube = Cube(part, part.npu()->chip().conv_input), .shape = p.shape, .out = part.output()};
  const std::size_t count = p.shape.out_channels * p.shape.group_channels() * p.shape.taps();
  const CubeWeights weights = chip.cube.weights(p.weights, count);
  p.weights = weights.data;
  chip.weight_losses = weights.losses;
  if (!chip.cube.order()) {
    ASSIGN(Step step, make_on_chip_by_engine(part, p, chip));
    if (step) return part.packed(part.input(1)), step;
  }
  kernels::Epilogue epilogue{
      .row_bias = p.bias, .store = part.store().how, .losses = part.store().losses};
  ASSIGN(chip.chain, ChainStep::make(part, {}, false));
  if (!chip.chain) return Step();
  ASSIGN(chip.in, part.reads(part.input(0)));
  part.packed(part.input(1));
  auto conv = std::make_shared<const kernels::Conv>(p.shape, p.weights, chip.cube.order());
  return Step([chip, conv, epilogue](Frame& frame) {
    const auto convolve = [&](const float* in, float* out, float* scratch) {
      conv->run(in, out, epilogue, scratch);
    };
    return chip.run(frame, conv->scratch(thread_count()), convolve);
  });
}

}  // namespace

extern const Lowering conv = {
    .ops = {"Conv"},
    .bias = BiasAxis::kChannel,
    .takes_residual = true,
    .takes_activation = true,
    .takes_chain = true,
    .make = make,
    .make_on_chip = make_on_chip,
};

}  // namespace godwit::exec::lowerings
