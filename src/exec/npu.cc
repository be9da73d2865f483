// Widens, evaluates, narrows at the store points, and keeps account of what was lost.
#include "exec/npu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "exec/convert.h"
#include "exec/evaluate.h"
#include "exec/sequence.h"
#include "ir/number.h"
#include "ir/subgraphs.h"
#include "ops/call.h"
#include "ops/signature.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::ElementType;
using ir::Tensor;
using ops::Numerics;

// A sum or function that is off by an fp32 ULP changes the fp16 it is rounded to once in many
// times, and then by one ULP. For products the share was measured
// (facts::Numerics::moved_by_order); for functions it follows from the 13 bits between.
constexpr double kHalfUlp = 0x1p-11, kFloatUlp = 0x1p-24;
constexpr double kMovedByUlp = 0x1p-12;

kernels::Order order_of(facts::SumOrder order) {
  switch (order) {
    case facts::SumOrder::kCube16: return kernels::Order::kCube16;
    case facts::SumOrder::kSequential: return kernels::Order::kSequential;
    case facts::SumOrder::kExact: return kernels::Order::kExact;
  }
  return kernels::Order::kCube16;
}

Tier tier_of(Numerics numerics) {
  switch (numerics) {
    case Numerics::kTranscendental:
    case Numerics::kReduction:
    case Numerics::kSoftmax:
    case Numerics::kNormalization:
    case Numerics::kGelu: return Tier::kBounded;
    case Numerics::kMatrix:
    case Numerics::kRandom: return Tier::kStatistical;
    default: return Tier::kExact;
  }
}

// Estimated error that one step of the class adds to the prediction.
double band_of(Numerics numerics, bool is_half, const facts::Numerics& chip) {
  const double ulp = chip.transcendental_ulp;
  if (numerics == Numerics::kRandom) return 1;
  switch (tier_of(numerics)) {
    case Tier::kExact: return 0;
    case Tier::kBounded: return is_half ? kHalfUlp * std::sqrt(kMovedByUlp * ulp) : kFloatUlp * ulp;
    case Tier::kStatistical:
      return is_half ? kHalfUlp * std::sqrt(chip.moved_by_order) : chip.order_in_fp32;
  }
  return 0;
}

// 16-bit floats as fp32, exactly and fast; others as ir::convert does it.
Result<Datum> widen(Datum datum) {
  if (!datum.is_tensor()) return converted(std::move(datum), widened);
  const ElementType type = datum.tensor.type();
  if (type != ElementType::kFloat16 && type != ElementType::kBfloat16)
    return converted(std::move(datum), widened);
  ASSIGN(Tensor out, Tensor::make(ElementType::kFloat, datum.tensor.dims()));
  kernels::from_codes(
      reinterpret_cast<const std::uint16_t*>(datum.tensor.data()),
      out.mutable_values<float>().data(), static_cast<std::size_t>(out.count()),
      type == ElementType::kFloat16 ? kernels::Format::kFp16 : kernels::Format::kBf16);
  return Datum(std::move(out));
}

// An operator that only moves values has counted them where they were made.
bool moves_values(const ops::Operator& op, const std::vector<Datum>& inputs) {
  return op.numerics == Numerics::kExact && !inputs.empty();
}

}  // namespace

NpuOptions default_options(const facts::Numerics& chip) {
  return {.keeps_fp32 = !chip.stores_fp32_as_fp16, .order = order_of(chip.order)};
}

Npu::Npu(const ir::Model& model, const facts::Numerics& chip, const NpuOptions& options)
    : model_(model),
      chip_(chip),
      options_(options),
      points_(store_points(model, options.stores)),
      effects_(model.values.size()) {
  estimate(0);
}

kernels::Narrowing Npu::narrowing(ir::ValueId value, ElementType stored,
                                  kernels::Rounding rounding) const {
  const auto overflow =
      chip_.saturates ? kernels::Overflow::kSaturate : kernels::Overflow::kInfinity;
  if (points_[value] == StorePoint::kOnHost) return {};
  if (points_[value] == StorePoint::kInFlight) return {.overflow = overflow};
  // A chip that saturates has no bfloat16: such tensors are made fp16 before it sees them.
  const bool is_half = stored == ElementType::kFloat16 ||
                       (stored == ElementType::kBfloat16 && chip_.saturates) ||
                       (stored == ElementType::kFloat && !options_.keeps_fp32);
  const bool is_brain = !is_half && stored == ElementType::kBfloat16;
  return {.format = is_half    ? kernels::Format::kFp16
                    : is_brain ? kernels::Format::kBf16
                               : kernels::Format::kFp32,
          .rounding = rounding,
          .overflow = overflow};
}

Result<Tensor> Npu::store(ir::ValueId value, const Tensor& tensor, ElementType stored,
                          kernels::Rounding rounding, bool counts) {
  const kernels::Narrowing how = narrowing(value, stored, rounding);
  const bool is_16_bits = is_narrow(stored) && points_[value] != StorePoint::kInFlight &&
                          !(stored == ElementType::kBfloat16 && chip_.saturates);
  const float* const from = tensor.values<float>().data();
  const auto count = static_cast<std::size_t>(tensor.count());
  if (how == kernels::Narrowing{}) return is_16_bits ? convert(tensor, stored) : tensor;
  kernels::Losses lost;
  Tensor out;
  if (is_16_bits && ir::bytes_in_memory(stored) == 2) {
    ASSIGN(out, Tensor::make(stored, tensor.dims()));
    lost =
        kernels::to_codes(from, reinterpret_cast<std::uint16_t*>(out.mutable_data()), count, how);
  } else {
    ASSIGN(out, Tensor::make(ElementType::kFloat, tensor.dims()));
    lost = kernels::narrow(from, out.mutable_values<float>().data(), count, how);
    if (is_16_bits) {
      ASSIGN(out, convert(out, stored));
    }
  }
  if (counts) effects_[value].losses += lost;
  return out;
}

Result<Datum> Npu::store(ir::ValueId value, Datum datum, ElementType stored,
                         kernels::Rounding rounding, bool counts) {
  if (datum.is_tensor()) {
    if (datum.tensor.type() != ElementType::kFloat) return datum;
    ASSIGN(Tensor out, store(value, datum.tensor, stored, rounding, counts));
    return Datum(std::move(out));
  }
  for (Datum& item : datum.items) {
    ASSIGN(item, store(value, std::move(item), stored, rounding, counts));
  }
  return datum;
}

Result<Datum> Npu::carry(ir::ValueId value, Datum datum) {
  const ElementType type = datum.tensor.type();
  ASSIGN(Datum wide, widen(std::move(datum)));
  return store(value, std::move(wide), is_narrow(type) ? type : ElementType::kFloat,
               kernels::Rounding::kNearestEven, true);
}

Result<Computed> Npu::compute(const ir::Node& node, std::vector<Datum> inputs,
                              const ops::Host& host) const {
  const ops::Operator* const op = ops::find_operator(node);
  if (!op || !op->evaluate) return ops::unknown_operator(node);
  const Sequence* const sequence = find_sequence(node);
  const bool widens = op->storage == ops::Storage::kWidened || sequence;
  Computed out{.stored = std::vector(node.outputs.size(), ElementType::kFloat)};
  for (std::size_t i = 0; widens && i < out.stored.size(); ++i) {
    // A value in flight is fp32 here whatever the model calls it.
    ElementType narrow = stored_type(*op, node.opset, inputs, i);
    const ir::ValueId value = node.outputs[i];
    if (value != ir::kNone && is_narrow(model_.values[value].type.element))
      narrow = model_.values[value].type.element;
    if (narrow != ElementType::kUndefined) out.stored[i] = narrow;
  }
  out.counts = !moves_values(*op, inputs);
  for (Datum& input : inputs) {
    if (!widens) break;
    ASSIGN(input, widen(std::move(input)));
  }
  TRY(ops::check_inputs(*op, node, inputs));
  ops::Call call(*op, node, std::move(inputs), host);
  ChipStep step{.call = call,
                .chip = chip_,
                .order = options_.order,
                .inputs_are_fp16 = !options_.keeps_fp32};
  TRY(sequence ? sequence->run(step) : op->evaluate(call));
  if (step.stored != ElementType::kUndefined && !out.stored.empty()) out.stored[0] = step.stored;
  out.made = std::move(call.results());
  out.made.resize(node.outputs.size());
  out.rounding = step.rounding;
  out.losses = step.losses;
  return out;
}

Result<std::vector<Datum>> Npu::evaluate(const ir::Node& node, std::vector<Datum> inputs,
                                         const ops::Host& host) {
  ASSIGN(Computed out, compute(node, std::move(inputs), host));
  for (std::size_t i = 0; i < out.made.size(); ++i) {
    const ir::ValueId value = node.outputs[i];
    if (value == ir::kNone) continue;
    ASSIGN(out.made[i],
           store(value, std::move(out.made[i]), out.stored[i], out.rounding, out.counts));
    if (i == 0) effects_[value].losses += out.losses;
  }
  return std::move(out.made);
}

ElementType Npu::carried_as(ir::ValueId value, ElementType type) const {
  if (!is_narrow(type)) return type;
  const bool is_widened = points_[value] == StorePoint::kInFlight ||
                          (type == ElementType::kBfloat16 && chip_.saturates);
  return is_widened ? ElementType::kFloat : type;
}

ElementType Npu::stored_as(ir::ValueId value, ElementType type) const {
  if (type != ElementType::kFloat) return type;
  const bool is_half =
      narrowing(value, type, kernels::Rounding::kNearestEven).format == kernels::Format::kFp16;
  return is_half ? ElementType::kFloat16 : type;
}

double Npu::operand_roundoff() const {
  if (!options_.keeps_fp32) return 0;
  switch (std::min(chip_.matmul_input, chip_.conv_input)) {
    case facts::CubeInput::kFp16: return 0x1p-11;
    case facts::CubeInput::kHf32: return 0x1p-12;
    case facts::CubeInput::kFp32: return 0;
  }
  return 0;
}

// Inner graphs stand before the node that owns them, which takes the worst of what they return.
void Npu::estimate(ir::GraphId graph) {
  for (const ir::NodeId id : model_.graphs[graph].nodes) {
    const ir::Node& node = model_.nodes[id];
    for (const ir::GraphId inner : ir::subgraphs(node)) estimate(inner);
    if (const ops::Operator* const op = ops::find_operator(node)) estimate(*op, node);
  }
}

// The step's own error counts as independent of the worst of its inputs: those of several inputs
// mostly come from one source (a residual and what was added to it).
void Npu::estimate(const ops::Operator& op, const ir::Node& node) {
  Tier tier = tier_of(op.numerics);
  const double own = band_of(op.numerics, !options_.keeps_fp32, chip_);
  double worst = 0;
  const auto take = [&](ir::ValueId value) {
    if (value == ir::kNone) return;
    tier = std::max(tier, effects_[value].tier);
    worst = std::max(worst, effects_[value].band);
  };
  std::for_each(node.inputs.begin(), node.inputs.end(), take);
  for (const ir::GraphId inner : ir::subgraphs(node)) {
    const auto& outputs = model_.graphs[inner].outputs;
    std::for_each(outputs.begin(), outputs.end(), take);
  }
  for (const ir::ValueId output : node.outputs) {
    if (output == ir::kNone) continue;
    effects_[output].tier = tier;
    effects_[output].band = std::hypot(own, worst);
  }
}

}  // namespace godwit::exec
