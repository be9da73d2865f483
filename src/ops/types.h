// The sets of element types that signatures name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ir/dim.h"
#include "ir/element_type.h"

namespace godwit::ops {

using ir::Dim;
using ir::ElementType;
using ir::TypeSet;

/// Element types by opset: `kClassicFloats | since(13, kBfloat16)`. A set alone holds from the
/// start; types that an opset took away need a row of their own.
class TypeHistory {
 public:
  constexpr TypeHistory(TypeSet types, int since = 1) {
    for (std::size_t i = 1; i < since_.size(); ++i) {
      if (types.has(static_cast<ElementType>(i))) since_[i] = static_cast<std::uint8_t>(since);
    }
  }
  constexpr bool has(ElementType type, std::int64_t opset) const {
    const auto i = static_cast<std::size_t>(type);
    return i < since_.size() && since_[i] != 0 && since_[i] <= opset;
  }
  /// The types that an opset takes, or that any does.
  constexpr TypeSet at(std::int64_t opset) const {
    TypeSet out;
    for (std::size_t i = 1; i < since_.size(); ++i) {
      const auto type = static_cast<ElementType>(i);
      if (has(type, opset)) out = out | TypeSet{type};
    }
    return out;
  }
  constexpr TypeSet all() const { return at(kNewest); }

  friend constexpr TypeHistory operator|(TypeHistory a, TypeHistory b) {
    for (std::size_t i = 1; i < a.since_.size(); ++i) {
      if (a.since_[i] == 0 || (b.since_[i] != 0 && b.since_[i] < a.since_[i]))
        a.since_[i] = b.since_[i];
    }
    return a;
  }

 private:
  static constexpr std::int64_t kNewest = 255;
  std::array<std::uint8_t, static_cast<std::size_t>(ElementType::kLast) + 1> since_{};  // 0: never
};

constexpr TypeHistory since(int opset, TypeSet types) { return {types, opset}; }

inline constexpr TypeSet kFloat = {ElementType::kFloat};
inline constexpr TypeSet kInt64 = {ElementType::kInt64};
inline constexpr TypeSet kBool = {ElementType::kBool};
inline constexpr TypeSet kString = {ElementType::kString};
inline constexpr TypeSet kBytes = {ElementType::kInt8, ElementType::kUint8};
inline constexpr TypeSet kUint8 = {ElementType::kUint8};
inline constexpr TypeSet kInt32 = {ElementType::kInt32};
inline constexpr TypeSet kIndices = {ElementType::kInt32, ElementType::kInt64};
/// What C++ computes with.
inline constexpr TypeSet kReals = {ElementType::kFloat, ElementType::kDouble};
inline constexpr TypeSet kBfloat16 = {ElementType::kBfloat16};
inline constexpr TypeSet kClassicFloats = {ElementType::kFloat16, ElementType::kFloat,
                                           ElementType::kDouble};
inline constexpr TypeSet kFloats = kClassicFloats | kBfloat16;
inline constexpr TypeSet kSingles = {ElementType::kFloat16, ElementType::kBfloat16,
                                     ElementType::kFloat};
inline constexpr TypeSet kSigned = {ElementType::kInt8, ElementType::kInt16, ElementType::kInt32,
                                    ElementType::kInt64};
inline constexpr TypeSet kUnsigned = {ElementType::kUint8, ElementType::kUint16,
                                      ElementType::kUint32, ElementType::kUint64};
inline constexpr TypeSet kIntegers = kSigned | kUnsigned;
inline constexpr TypeSet kWideIntegers = {ElementType::kInt32, ElementType::kInt64,
                                          ElementType::kUint32, ElementType::kUint64};
inline constexpr TypeSet kClassicNumbers = kClassicFloats | kIntegers;
inline constexpr TypeSet kNumbers = kFloats | kIntegers;
inline constexpr TypeSet kComplex = {ElementType::kComplex64, ElementType::kComplex128};
inline constexpr TypeSet kFloat8 = {ElementType::kFloat8E4M3FN, ElementType::kFloat8E4M3FNUZ,
                                    ElementType::kFloat8E5M2, ElementType::kFloat8E5M2FNUZ};
inline constexpr TypeSet kScaleFloat8 = {ElementType::kFloat8E8M0};
inline constexpr TypeSet kFloat4 = {ElementType::kFloat4E2M1};
inline constexpr TypeSet kFloat6 = {ElementType::kFloat6E2M3, ElementType::kFloat6E3M2};
inline constexpr TypeSet kInt16s = {ElementType::kInt16, ElementType::kUint16};
inline constexpr TypeSet kInt4s = {ElementType::kInt4, ElementType::kUint4};
inline constexpr TypeSet kInt2s = {ElementType::kInt2, ElementType::kUint2};
/// Every tensor type of opset 12 and before.
inline constexpr TypeSet kClassic = kClassicNumbers | kBool | kString | kComplex;

/// Sets of the standard that took bfloat16 in some opset.
constexpr TypeHistory floats(int bfloat16) { return kClassicFloats | since(bfloat16, kBfloat16); }
constexpr TypeHistory numbers(int bfloat16) { return kClassicNumbers | since(bfloat16, kBfloat16); }
constexpr TypeHistory classic(int bfloat16) { return kClassic | since(bfloat16, kBfloat16); }
/// Floats and integers of 32 and 64 bits: what Gemm and reductions compute with.
constexpr TypeHistory wide_numbers(int bfloat16) {
  return floats(bfloat16) | TypeHistory(kWideIntegers);
}

/// What operators that only hand values on took after the small floats.
inline constexpr TypeHistory kPackedTypes =
    since(21, kInt4s) | since(23, kFloat4) | since(24, kScaleFloat8) | since(25, kInt2s);
/// What they take.
constexpr TypeHistory any_tensor(int bfloat16, int float8) {
  return classic(bfloat16) | since(float8, kFloat8) | kPackedTypes;
}
inline constexpr TypeSet kAnyTensor = any_tensor(13, 21).all();
/// The types that an opset knows at all.
inline constexpr TypeHistory kKnownTypes = any_tensor(13, 19) | since(28, kFloat6);

}  // namespace godwit::ops
