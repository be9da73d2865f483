// Small graphs made of bytes: any operators with any inputs and attributes, most of them nonsense
// that must be refused, the others run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "ir/model.h"
#include "ir/number.h"
#include "ops/operator.h"

namespace godwit::tests {

class RandomGraph {
 public:
  explicit RandomGraph(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    model.opsets = {{"", 1 + pick(28)}};
    model.graphs.push_back({.name = "random"});
    for (std::uint32_t i = 0, count = 1 + pick(3); i < count; ++i) add_input();
    for (std::uint32_t i = 0, count = 1 + pick(6); i < count; ++i) add_node();
    model.main().outputs = {static_cast<ir::ValueId>(model.values.size() - 1)};
  }

  ir::Model model{};
  std::vector<ir::Datum> inputs{};

 private:
  std::uint32_t pick(std::uint32_t below) {
    const std::uint8_t byte = at_ < bytes_.size() ? bytes_[at_++] : 0;
    return below ? byte % below : 0;
  }
  std::int64_t small() { return static_cast<std::int64_t>(pick(9)) - 3; }

  void add_input() {
    using enum ir::ElementType;
    constexpr ir::ElementType kTypes[] = {kFloat, kInt64, kBool,   kFloat16, kDouble,
                                          kInt32, kUint8, kString, kInt8,    kBfloat16};
    const ir::ElementType type = kTypes[pick(std::size(kTypes))];
    ir::Sizes dims(pick(5));
    for (std::int64_t& dim : dims) dim = static_cast<std::int64_t>(pick(5));
    ir::Tensor tensor = *ir::Tensor::make(type, dims);
    for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.count()); ++i) {
      if (type == kString)
        tensor.mutable_values<std::string>()[i] = format("s{}", pick(4));
      else
        ir::store(type, tensor.mutable_data(), i, static_cast<double>(small()),
                  ir::Overflow::kToInfinity);
    }
    const std::string name = format("x{}", model.values.size());
    if (pick(3) == 0) {
      model.add_constant(0, name, std::move(tensor));
      return;
    }
    const ir::ValueId value =
        model.add_value(name, ir::Type::tensor(type, ir::Shape(dims.begin(), dims.end())));
    model.add_input(value);
    inputs.emplace_back(std::move(tensor));
  }

  ir::Attribute::Payload payload(const ops::AttributeSpec& spec) {
    const auto list = [&] {
      ops::Ints out(pick(5));
      for (std::int64_t& each : out) each = small();
      return out;
    };
    if (std::holds_alternative<float>(spec.fallback)) return static_cast<float>(small()) / 2;
    if (std::holds_alternative<ops::AttributeSpec::List>(spec.fallback)) return list();
    if (std::holds_alternative<std::string_view>(spec.fallback)) {
      constexpr std::string_view kTexts[] = {"",        "SAME_UPPER", "VALID", "reflect", "linear",
                                             "nearest", "cubic",      "none",  "tanh",    "add"};
      return std::string(kTexts[pick(std::size(kTexts))]);
    }
    if (std::holds_alternative<std::int64_t>(spec.fallback) || pick(2)) return small();
    return list();
  }

  void add_node() {
    // Two bytes choose one of more than 256 operators.
    const std::size_t at = (pick(256) * 256 + pick(256)) % ops::kOperators.size();
    const ops::Operator& op = *ops::kOperators[at];
    ir::Node node{.name = format("n{}", model.nodes.size()),
                  .op = std::string(op.name),
                  .domain = std::string(op.domain),
                  .opset = op.domain.empty() ? model.opset("") : op.since};
    const auto known = static_cast<std::uint32_t>(model.values.size());
    const auto most = static_cast<std::uint32_t>(op.inputs.size() + 1);
    for (std::uint32_t i = 0, count = pick(most + 1); i < count; ++i)
      node.inputs.push_back(pick(8) ? pick(known) : ir::kNone);
    for (const ops::AttributeSpec& spec : op.attributes) {
      if (pick(2)) node.set(spec.name, payload(spec));
    }
    for (std::uint32_t i = 0, count = 1 + pick(3); i < count; ++i) {
      node.outputs.push_back(model.add_value(format("v{}", model.values.size())));
    }
    model.main().nodes.push_back(model.add_node(std::move(node)));
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace godwit::tests
