// Which nodes are links, and how their operands repeat.
#include "exec/chip_chain.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ops/operator.h"
#include "ops/signature.h"
#include "ops/site.h"

namespace godwit::exec {
namespace {

using ir::Sizes;
using ir::ValueId;
using kernels::Binary;
using kernels::ChainLink;
using kernels::Unary;

struct BinaryName {
  std::string_view op;
  Binary kernel;
};
// Steps that are rounded once, so that every machine has the same bits.
constexpr BinaryName kBinaries[] = {
    {"Add", Binary::kAdd},    {"Sub", Binary::kSubtract}, {"Mul", Binary::kMultiply},
    {"Div", Binary::kDivide}, {"Min", Binary::kMinimum},  {"Max", Binary::kMaximum},
};

struct UnaryName {
  std::string_view op;
  Unary kernel;
};
constexpr UnaryName kUnaries[] = {
    {"Abs", Unary::kAbs},
    {"Neg", Unary::kNegate},
    {"Relu", Unary::kRelu},
    {"Sqrt", Unary::kSqrt},
};

template <class Name, std::size_t N>
const Name* find(const Name (&names)[N], std::string_view op) {
  const auto at = std::find_if(std::begin(names), std::end(names),
                               [&](const Name& name) { return name.op == op; });
  return at == std::end(names) ? nullptr : at;
}

// How sizes that broadcast to `out` repeat in it: one run of axes of their own, between axes along
// which they are repeated. Nothing where they alternate more often.
std::optional<LinkOperand> repetition(const Sizes& out, const Sizes& sizes) {
  if (sizes.size() > out.size()) return std::nullopt;
  const std::size_t missing = out.size() - sizes.size();
  LinkOperand made{.kind = LinkOperand::Kind::kScalar};
  bool is_over = false;
  std::size_t outer = 1;
  for (std::size_t axis = 0; axis < out.size(); ++axis) {
    const auto size = static_cast<std::size_t>(out[axis]);
    if (size == 1) continue;
    const bool is_own = axis >= missing && sizes[axis - missing] == out[axis];
    if (!is_own && axis >= missing && sizes[axis - missing] != 1) return std::nullopt;
    if (is_own && is_over) return std::nullopt;
    if (is_own) {
      made.is_channel = made.kind == LinkOperand::Kind::kScalar && axis == 1;
      made.kind = LinkOperand::Kind::kRepeated;
      made.own *= size;
    } else if (made.kind == LinkOperand::Kind::kScalar) {
      outer *= size;
    } else {
      is_over = true;
      made.inner *= size;
    }
  }
  if (made.kind == LinkOperand::Kind::kScalar) {
    made.inner = 1;
  } else if (outer == 1 && made.inner == 1) {
    made.kind = LinkOperand::Kind::kFull;
  }
  return made;
}

}  // namespace

bool Linker::is_real(ValueId value) const {
  return value != ir::kNone && model_.values[value].type.element == ir::ElementType::kFloat &&
         static_sizes(model_.values[value].type).has_value();
}

bool Linker::holds_halves(ValueId value) const {
  return npu_.narrowing(value, kernels::Rounding::kNearestEven).format == kernels::Format::kFp16;
}

std::optional<LinkOperand> Linker::operand(ValueId value, const LinkPlace& place) const {
  if (!is_real(value)) return std::nullopt;
  const Sizes out = *static_sizes(model_.values[place.from].type);
  const ir::Tensor* const held = model_.constant(value);
  if (value == place.source) return LinkOperand{.kind = LinkOperand::Kind::kSource};
  auto made = repetition(out, *static_sizes(model_.values[value].type));
  if (!made || (held && held->type() != ir::ElementType::kFloat)) return std::nullopt;
  if (held)
    made->held = held->values<float>().data();
  else
    made->value = value;
  return made;
}

std::optional<Link> Linker::binary(ir::NodeId id, const LinkPlace& place, Binary op) {
  const ir::Node& node = model_.nodes[id];
  // Before opset 7 attributes say along which axes the second operand is repeated.
  if (node.inputs.size() != 2 || node.attribute("axis") || node.attribute("broadcast"))
    return std::nullopt;
  const bool is_swapped = node.inputs[0] != place.from;
  const ValueId value = node.inputs[is_swapped ? 0 : 1];
  auto other = value == place.from && place.from == place.source
                   ? LinkOperand{.kind = LinkOperand::Kind::kSource}
                   : operand(value, place);
  if (!other) return std::nullopt;
  LinkStep step{.other = *std::move(other)};
  step.kernel.kind = ChainLink::Kind::kBinary;
  step.kernel.binary = op;
  step.kernel.is_swapped = is_swapped;
  return Link{id, {std::move(step)}};
}

// (x - mean) / sqrt(variance + epsilon) * scale + shift, each step in fp32, stored once.
std::optional<Link> Linker::normalization(ir::NodeId id, const LinkPlace& place) {
  const ir::Node& node = model_.nodes[id];
  const ops::Site site(*ops::find_operator(node), node);
  const Sizes out = *static_sizes(model_.values[place.from].type);
  const bool is_spatial = site.opset() >= 9 || site.flag("spatial");
  if (node.outputs.size() != 1 || node.inputs.size() != 5 || node.inputs[0] != place.from ||
      site.flag("training_mode") || !is_spatial || out.size() < 2)
    return std::nullopt;
  const auto channels = static_cast<std::size_t>(out[1]);
  Sizes along(out.size() - 1, 1);
  along[0] = out[1];
  const float* parameters[5] = {};
  for (std::size_t i = 1; i < 5; ++i) {
    const ir::Tensor* const held = model_.constant(node.inputs[i]);
    if (!held || held->type() != ir::ElementType::kFloat || held->count() != out[1])
      return std::nullopt;
    parameters[i] = held->values<float>().data();
  }
  auto deviations = std::make_shared<std::vector<float>>(channels);
  for (std::size_t c = 0; c < channels; ++c)
    (*deviations)[c] = std::sqrt(parameters[4][c] + site.number("epsilon"));
  Link link{id, {}};
  const auto add = [&](Binary op, const float* values) {
    LinkStep step{.other = *repetition(out, along)};
    step.kernel.kind = ChainLink::Kind::kBinary;
    step.kernel.binary = op;
    step.other.held = values;
    link.steps.push_back(std::move(step));
  };
  add(Binary::kSubtract, parameters[3]);
  add(Binary::kDivide, deviations->data());
  link.steps.back().other.made = deviations;
  add(Binary::kMultiply, parameters[1]);
  add(Binary::kAdd, parameters[2]);
  return link;
}

std::optional<Link> Linker::table(ir::NodeId id, const LinkPlace& place) {
  if (!holds_halves(place.from)) return std::nullopt;
  const Sizes out = *static_sizes(model_.values[place.from].type);
  LinkStep step;
  step.table = tables_.of(model_, npu_, model_.nodes[id], place.from, out.size());
  if (!step.table) return std::nullopt;
  step.kernel.kind = ChainLink::Kind::kTable;
  step.kernel.table = step.table->table();
  return Link{id, {std::move(step)}};
}

std::optional<Link> Linker::link(ir::NodeId id, const LinkPlace& place) {
  const ir::Node& node = model_.nodes[id];
  if (!node.domain.empty() || !ops::makes_first_output(node)) return std::nullopt;
  const ValueId made = node.outputs[0];
  if (!is_real(place.from) || !is_real(made) ||
      static_sizes(model_.values[made].type) != static_sizes(model_.values[place.from].type))
    return std::nullopt;
  std::optional<Link> out;
  if (const BinaryName* const name = find(kBinaries, node.op)) {
    out = binary(id, place, name->kernel);
  } else if (const UnaryName* const one = find(kUnaries, node.op)) {
    out = Link{id, {LinkStep{}}};
    out->steps[0].kernel.unary = one->kernel;
  } else if (node.op == "BatchNormalization") {
    out = normalization(id, place);
  } else {
    out = table(id, place);
  }
  if (out) out->steps.back().kernel.store = npu_.storing(made);
  return out;
}

}  // namespace godwit::exec
