// Cast of the chip: floats narrowed with its overflow mode, integers cut toward zero; on a chip
// that saturates, numbers beyond an integer type become its ends and NaN becomes 0.
#include <cmath>

#include "exec/sequence.h"
#include "ir/number.h"

namespace godwit::exec::sequences {
namespace {

using ir::ElementType;

bool is_real(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 ||
         type == ElementType::kBfloat16;
}

double clamped(double value, ElementType type) {
  const int bits = static_cast<int>(ir::bits(type));
  const bool has_sign = type == ElementType::kInt8 || type == ElementType::kInt16 ||
                        type == ElementType::kInt32 || type == ElementType::kInt64;
  const double top = std::ldexp(1.0, has_sign ? bits - 1 : bits);
  const double bottom = has_sign ? -top : 0.0;
  if (std::isnan(value)) return 0;
  if (value < bottom) return bottom;
  // 2^63 - 1 is no double: the largest one below is as near as a store can come.
  const double last = bits < 53 ? top - 1 : std::nextafter(top, 0.0);
  return value > last ? last : value;
}

Status to_integers(ChipStep& step, ElementType to) {
  ops::Call& call = step.call;
  const std::span<const float> x = call.values<float>(0);
  ASSIGN(ir::Tensor* const y, call.make(0, to, call.input(0).dims()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    ir::store(to, y->mutable_data(), i, clamped(std::trunc(double{x[i]}), to),
              ir::Overflow::kSaturate);
  }
  return {};
}

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  const auto to = static_cast<ElementType>(call.integer("to"));
  if (call.input(0).type() != ElementType::kFloat) return call.op().evaluate(call);
  if (is_real(to)) {
    step.stored = to;
    call.set(0, call.datum(0));
    return {};
  }
  const bool is_plain = ir::is_integer(to) && ir::bits(to) >= 8;
  if (is_plain && step.chip.saturates) return to_integers(step, to);
  return call.op().evaluate(call);
}

}  // namespace

extern const Sequence cast = {.op = "Cast", .run = run};

}  // namespace godwit::exec::sequences
