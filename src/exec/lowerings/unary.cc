// Element-wise functions of one tensor.
#include <algorithm>
#include <limits>

#include "exec/lowering.h"
#include "kernels/elementwise.h"

namespace godwit::exec::lowerings {
namespace {

using kernels::Unary;

// In blocks, the channels that fill up the last one must stay zero for who reads them next.
struct Function {
  std::string_view op;
  Unary kernel;
  bool keeps_zero = true;
};
constexpr Function kFunctions[] = {
    {"Abs", Unary::kAbs},
    {"Erf", Unary::kErf},
    {"Exp", Unary::kExp, false},
    {"Gelu", Unary::kGelu},
    {"HardSigmoid", Unary::kHardSigmoid, false},
    {"HardSwish", Unary::kHardSwish},
    {"LeakyRelu", Unary::kLeakyRelu},
    {"Neg", Unary::kNegate},
    {"Reciprocal", Unary::kReciprocal, false},
    {"Relu", Unary::kRelu},
    {"Sigmoid", Unary::kSigmoid, false},
    {"Sqrt", Unary::kSqrt},
    {"Tanh", Unary::kTanh},
};

Result<Step> make(const Part& part) {
  const auto sizes = part.sizes(part.output());
  if (!sizes || !part.is_fp32(part.input(0))) return Step();
  const auto row = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                [&](const Function& f) { return f.op == part.op().name; });
  kernels::UnaryCall call{.op = row->kernel,
                          .n = static_cast<std::size_t>(*ir::count(*sizes)),
                          .a = part.number("alpha"),
                          .b = part.number("beta"),
                          .store = part.store()};
  if (part.text("approximate") == "tanh") call.op = Unary::kGeluTanh;
  const kernels::engine::Layout& now = part.layouts().of(part.input(0));
  const bool fills_up = !now.is_any() && now.bytes() != call.n * sizeof(float);
  const bool may_block =
      (row->keeps_zero || !fills_up) && part.layouts().may_be_blocked(part.output());
  const kernels::engine::Layout layout =
      may_block ? part.layouts().of(part.input(0)) : kernels::engine::Layout();
  ASSIGN(const ir::ValueId in, part.reads(part.input(0), layout));
  if (!layout.is_any()) {  // also what fills the blocks up
    call.n = layout.bytes() / sizeof(float);
    part.layouts().set(part.output(), layout);
  }
  return Step([=, out = part.output()](Frame& frame) mutable -> Status {
    ASSIGN(call.out, frame.write<float>(out));
    call.in = frame.read<float>(in);
    kernels::unary(call);
    return {};
  });
}

}  // namespace

extern const Lowering unary = {
    .ops = {"Abs", "Erf", "Exp", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "Neg",
            "Reciprocal", "Relu", "Sigmoid", "Sqrt", "Tanh"},
    .make = make,
};

}  // namespace godwit::exec::lowerings
