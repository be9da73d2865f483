// Element-wise nodes under the numerics of a chip, alone or in chains.
#include "exec/chain_step.h"

namespace godwit::exec::lowerings {
namespace {

Result<Step> make(const Part& part) {
  if (part.tail().source == ir::kNone) return Step();  // the node itself is no link
  const ir::ValueId from = part.tail().source;
  const bool may_block = part.layouts().may_be_blocked(part.output());
  kernels::engine::Layout layout = may_block ? part.layouts().of(from) : kernels::engine::Layout();
  ASSIGN(std::optional<ChainStep> chain, ChainStep::make(part, layout, false));
  if (!chain) {
    layout = {};
    ASSIGN(chain, ChainStep::make(part, layout, false));
  }
  if (!chain) return Step();
  ASSIGN(const ir::ValueId in, part.reads(from, layout));
  if (!layout.is_any()) part.layouts().set(part.output(), layout);
  return Step([chain = *std::move(chain), in, out = part.output()](Frame& frame) -> Status {
    ASSIGN(float* const to, frame.write<float>(out));
    chain.run(frame, frame.read<float>(in), to);
    return {};
  });
}

}  // namespace

extern const Lowering chip_chain = {
    .ops = {"Abs",
            "Acos",
            "Acosh",
            "Add",
            "Asin",
            "Asinh",
            "Atan",
            "Atanh",
            "BatchNormalization",
            "Celu",
            "Clip",
            "Cos",
            "Cosh",
            "Div",
            "Elu",
            "Erf",
            "Exp",
            "Gelu",
            "HardSigmoid",
            "HardSwish",
            "LeakyRelu",
            "Log",
            "Max",
            "Min",
            "Mish",
            "Mod",
            "Mul",
            "Neg",
            "PRelu",
            "Pow",
            "Reciprocal",
            "Relu",
            "Selu",
            "Shrink",
            "Sigmoid",
            "Sin",
            "Sinh",
            "Softplus",
            "Softsign",
            "Sqrt",
            "Sub",
            "Tan",
            "Tanh",
            "ThresholdedRelu"},
    .takes_chain = true,
    .make_on_chip = make,
};

}  // namespace godwit::exec::lowerings
