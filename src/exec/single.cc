// Which values are carried as fp32, and the way back for nodes without a kernel.
#include "exec/single.h"

#include <algorithm>
#include <utility>

#include "exec/convert.h"
#include "exec/lowering.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::ElementType;
using ir::ValueId;

constexpr std::int64_t kSmall = 1 << 12;  // as biases, bounds and scales are

bool is_16_bit(ElementType type) {
  return type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}

// The element type, also of what a sequence or optional holds.
ElementType element_of(const ir::Type& type) {
  return type.inner && type.kind != ir::Type::Kind::kMap ? element_of(*type.inner) : type.element;
}

std::vector<bool> read_by_kernels(const ir::Model& model) {
  std::vector<bool> out(model.values.size());
  for (const ir::NodeId id : model.main().nodes) {
    const ir::Node& node = model.nodes[id];
    if (!find_lowering(node)) continue;
    for (const ValueId value : node.inputs) {
      if (value != ir::kNone) out[value] = true;
    }
  }
  return out;
}

}  // namespace

InSingle::InSingle(const ir::Model& model) : stored_(model.values.size()) {
  const auto mark = [&](ValueId value) {
    if (value == ir::kNone) return;
    const ElementType type = element_of(model.values[value].type);
    if (is_16_bit(type)) stored_[value] = type;
  };
  const std::vector<bool> is_read = read_by_kernels(model);
  for (const ValueId value : model.main().constants) {
    const auto& held = model.values[value].constant;
    if (is_read[value] || (held && held->count() <= kSmall)) mark(value);
  }
  for (const ValueId value : model.main().inputs) mark(value);
  for (const ir::NodeId id : model.main().nodes) {
    for (const ValueId value : model.nodes[id].outputs) mark(value);
  }
}

bool InSingle::has_any() const {
  return std::any_of(stored_.begin(), stored_.end(),
                     [](ElementType type) { return type != ElementType::kUndefined; });
}

Result<Datum> InSingle::carry(ValueId value, Datum datum) {
  if (!is_narrow(value)) return datum;
  return converted(std::move(datum),
                   [](ElementType type) { return is_16_bit(type) ? ElementType::kFloat : type; });
}

Result<Datum> InSingle::written(ValueId value, Datum datum) const {
  if (!is_narrow(value)) return datum;
  return converted(std::move(datum), [stored = stored_[value]](ElementType type) {
    return type == ElementType::kFloat ? stored : type;
  });
}

ElementType InSingle::carried_as(ValueId value, ElementType type) const {
  return is_narrow(value) && is_16_bit(type) ? ElementType::kFloat : type;
}

Result<std::vector<Datum>> InSingle::evaluate(const ir::Node& node, std::vector<Datum> inputs,
                                              const ops::Host& host) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] != ir::kNone) {
      ASSIGN(inputs[i], written(node.inputs[i], std::move(inputs[i])));
    }
  }
  ASSIGN(std::vector<Datum> out, as_written_.evaluate(node, std::move(inputs), host));
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSIGN(out[i], carry(node.outputs[i], std::move(out[i])));
  }
  return out;
}

kernels::Narrowing InSingle::narrowing(ValueId value) const {
  if (!is_narrow(value)) return {};
  return {.format = stored_[value] == ElementType::kFloat16 ? kernels::Format::kFp16
                                                            : kernels::Format::kBf16};
}

}  // namespace godwit::exec
