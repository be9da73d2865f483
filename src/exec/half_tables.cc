// Evaluates a node on all fp16 numbers at once.
#include "exec/half_tables.h"

#include <utility>

#include "ops/operator.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::Tensor;
using kernels::HalfTable;

constexpr std::size_t kExponent = 0x7c00;  // all ones: an infinity or a NaN

Result<Tensor> all_numbers(std::size_t rank) {
  ir::Sizes dims(std::max<std::size_t>(1, rank), 1);
  dims.back() = HalfTable::kCodes;
  ASSIGN(Tensor out, Tensor::make(ir::ElementType::kFloat, std::move(dims)));
  std::vector<std::uint16_t> codes(HalfTable::kCodes);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i);
  kernels::from_codes(codes.data(), out.mutable_values<float>().data(), codes.size(),
                      kernels::Format::kFp16);
  return out;
}

template <class T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// What two nodes with one table have in common; empty where an attribute is no plain number or
// text.
std::string key_of(const ir::Model& model, const ir::Node& node, ir::ValueId from, std::size_t rank,
                   kernels::Narrowing how) {
  std::string key = node.op;
  append(key, node.opset);
  append(key, rank);
  append(key, how.format);
  append(key, how.overflow);
  for (const ir::ValueId value : node.inputs) {
    const Tensor* const held =
        value == ir::kNone || value == from ? nullptr : model.constant(value);
    key += value == from ? 'x' : held ? 'c' : '-';
    if (held) key.append(reinterpret_cast<const char*>(held->data()), held->bytes());
  }
  for (const ir::Attribute& attribute : node.attributes) {
    key += attribute.name + '=';
    if (const auto* const whole = std::get_if<std::int64_t>(&attribute.value))
      append(key, *whole);
    else if (const auto* const number = std::get_if<float>(&attribute.value))
      append(key, *number);
    else if (const auto* const text = std::get_if<std::string>(&attribute.value))
      key += *text + '\0';
    else
      return {};
  }
  return key;
}

bool is_function_of_one(const ir::Model& model, const ir::Node& node, ir::ValueId from) {
  const ops::Operator* const op = ops::find_operator(node);
  if (!op || node.outputs.size() != 1) return false;
  const bool is_each = op->numerics == ops::Numerics::kElementwise ||
                       op->numerics == ops::Numerics::kTranscendental ||
                       op->numerics == ops::Numerics::kGelu;
  std::size_t sources = 0;
  for (const ir::ValueId value : node.inputs) {
    if (value == ir::kNone) continue;
    sources += value == from;
    const Tensor* const held = value == from ? nullptr : model.constant(value);
    if (value != from && (!held || held->count() != 1)) return false;
  }
  return is_each && sources > 0;
}

Result<std::shared_ptr<const HalfValues>> make(const ir::Model& model, const Npu& npu,
                                               const ir::Node& node, ir::ValueId from,
                                               std::size_t rank) {
  std::vector<Datum> inputs;
  ASSIGN(Tensor numbers, all_numbers(rank));
  for (const ir::ValueId value : node.inputs) {
    if (value == ir::kNone)
      inputs.emplace_back();
    else
      inputs.emplace_back(value == from ? numbers : *model.constant(value));
  }
  ASSIGN(const Computed computed, npu.compute(node, std::move(inputs), {}));
  const Tensor& made = computed.made[0].tensor;
  const bool fits = computed.made[0].is_tensor() && made.type() == ir::ElementType::kFloat &&
                    made.count() == static_cast<std::int64_t>(HalfTable::kCodes) &&
                    computed.stored[0] == ir::ElementType::kFloat;
  if (!fits) return std::shared_ptr<const HalfValues>();
  const kernels::Narrowing how = npu.narrowing(node.outputs[0], computed.rounding);
  auto out = std::make_shared<HalfValues>();
  out->values.resize(HalfTable::kCodes);
  out->lost.resize(HalfTable::kCodes);
  const float* const x = made.values<float>().data();
  kernels::Losses all;
  // Where stores saturate, no infinity and no NaN ever comes.
  const bool is_finite = npu.chip().saturates;
  for (std::size_t i = 0; i < HalfTable::kCodes; ++i) {
    kernels::Losses lost = kernels::narrow(x + i, &out->values[i], 1, how);
    if (is_finite && (i & kExponent) == kExponent) lost = {};
    out->lost[i] = static_cast<std::uint8_t>(lost.overflows ? 1 : lost.nans ? 2 : 0);
    all += lost;
  }
  if (all == kernels::Losses{}) out->lost.clear();
  return std::shared_ptr<const HalfValues>(std::move(out));
}

}  // namespace

std::shared_ptr<const HalfValues> HalfTables::of(const ir::Model& model, const Npu& npu,
                                                 const ir::Node& node, ir::ValueId from,
                                                 std::size_t rank) {
  if (!is_function_of_one(model, node, from)) return nullptr;
  const kernels::Narrowing how = npu.narrowing(node.outputs[0], kernels::Rounding::kNearestEven);
  const std::string key = key_of(model, node, from, rank, how);
  const auto known = tables_.find(key);
  if (!key.empty() && known != tables_.end()) return known->second;
  const auto made = make(model, npu, node, from, rank);
  const std::shared_ptr<const HalfValues> table = made ? *made : nullptr;
  if (!key.empty()) tables_[key] = table;
  return table;
}

}  // namespace godwit::exec
