// Opset 28 shifts signed numbers too; before, the bits of unsigned ones.
#include <optional>

#include "ops/convert.h"
#include "ops/term.h"

namespace godwit::ops::adaptations {
namespace {

std::optional<ElementType> unsigned_of(ElementType type) {
  switch (type) {
    case ElementType::kInt8: return ElementType::kUint8;
    case ElementType::kInt16: return ElementType::kUint16;
    case ElementType::kInt32: return ElementType::kUint32;
    case ElementType::kInt64: return ElementType::kUint64;
    default: return std::nullopt;
  }
}

// A negative number keeps its sign to the right: ~(~x >> y). Shifts by all bits, and by negative
// numbers, are left open before opset 28 and are therefore not asked for.
Result<bool> adapt(Expansion& e, std::int64_t target) {
  ASSIGN(const Term x, term(e, 0));
  const std::optional<ElementType> bits = unsigned_of(x.type());
  if (target >= 28 || !bits) return false;
  ASSIGN(const Term y, term(e, 1));
  const std::string direction(e.text("direction"));
  const Term zero = x.number(0), ones = x.number(-1);
  const Term width = y.number(ir::bits(x.type()));
  const Term is_far = y.against("Less", zero).then("Or", {y.against("Less", width).then("Not")});
  const Term by = is_far.choose(zero, y).as(*bits);
  const auto shifted = [&](const Term& value) {
    const Term moved = value.as(*bits).then("BitShift", {by}, {{"direction", direction}});
    return is_far.choose(zero, moved.as(x.type()));
  };
  if (direction == "RIGHT") {
    const Term is_negative = x.against("Less", zero);
    const Term rest = shifted(is_negative.choose(ones - x, x));
    e.set_output(0, is_negative.choose(ones - rest, rest));
  } else {
    e.set_output(0, shifted(x));
  }
  return true;
}

}  // namespace

extern const Adaptation bit_shift = {.op = "BitShift", .breaks = {28}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
