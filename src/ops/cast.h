// Values as another element type: Cast, CastLike, and what quantization and powers round with.
#pragma once

#include "ir/number.h"
#include "ops/call.h"

namespace godwit::ops {

/// The value as a native type: rounded, whole numbers cut toward zero and wrapped.
template <class T>
T to_element(double value) {
  T out{};
  ir::store(ir::kElement<T>, reinterpret_cast<std::byte*>(&out), 0, value,
            ir::Overflow::kToInfinity);
  return out;
}

/// What Cast says of numbers that the target type does not have.
struct CastRules {
  enum class Scale : std::uint8_t { kUp, kDown, kNearest };  // rounding of float8e8m0
  ir::Overflow overflow = ir::Overflow::kSaturate;           // of 8-bit floats
  Scale scale = Scale::kUp;
};
/// From the attributes saturate and round_mode. Errors: E151 an unknown mode.
Result<CastRules> read_cast_rules(const Site& site);

/// Writes `value` as a number of any element type but a string.
void store_cast(ElementType type, std::byte* data, std::size_t index, double value,
                const CastRules& rules);

/// Errors: E151 a text that is no number, or a type that cannot be cast.
Result<Tensor> cast(const Site& site, const Tensor& from, ElementType to, const CastRules& rules);

}  // namespace godwit::ops
