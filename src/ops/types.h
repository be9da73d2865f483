// The sets of element types that signatures name.
#pragma once

#include "ir/dim.h"
#include "ir/element_type.h"

namespace godwit::ops {

using ir::Dim;
using ir::ElementType;
using ir::TypeSet;

inline constexpr TypeSet kFloat = {ElementType::kFloat};
inline constexpr TypeSet kInt64 = {ElementType::kInt64};
inline constexpr TypeSet kBool = {ElementType::kBool};
inline constexpr TypeSet kString = {ElementType::kString};
inline constexpr TypeSet kIndices = {ElementType::kInt32, ElementType::kInt64};
/// What early opsets compute with.
inline constexpr TypeSet kClassicFloats = {ElementType::kFloat16, ElementType::kFloat,
                                           ElementType::kDouble};
inline constexpr TypeSet kFloats = kClassicFloats | TypeSet{ElementType::kBfloat16};
inline constexpr TypeSet kSigned = {ElementType::kInt8, ElementType::kInt16, ElementType::kInt32,
                                    ElementType::kInt64};
inline constexpr TypeSet kUnsigned = {ElementType::kUint8, ElementType::kUint16,
                                      ElementType::kUint32, ElementType::kUint64};
inline constexpr TypeSet kIntegers = kSigned | kUnsigned;
inline constexpr TypeSet kNumbers = kFloats | kIntegers;
/// Integers of 32 and 64 bits and floats: what Add, Gemm and reductions took first.
inline constexpr TypeSet kWideNumbers =
    kFloats |
    TypeSet{ElementType::kInt32, ElementType::kInt64, ElementType::kUint32, ElementType::kUint64};
inline constexpr TypeSet kComplex = {ElementType::kComplex64, ElementType::kComplex128};
inline constexpr TypeSet kFloat8 = {ElementType::kFloat8E4M3FN, ElementType::kFloat8E4M3FNUZ,
                                    ElementType::kFloat8E5M2, ElementType::kFloat8E5M2FNUZ};
inline constexpr TypeSet kPacked = {ElementType::kInt4, ElementType::kUint4, ElementType::kInt2,
                                    ElementType::kUint2, ElementType::kFloat4E2M1};
/// Every tensor type of opset 12 and before, without bfloat16.
inline constexpr TypeSet kClassic = kClassicFloats | kIntegers | kBool | kString | kComplex;
inline constexpr TypeSet kAnyTensor =
    kClassic | kFloats | kFloat8 | kPacked | TypeSet{ElementType::kFloat8E8M0};
inline constexpr TypeSet kFloat6 = {ElementType::kFloat6E2M3, ElementType::kFloat6E3M2};
/// What Cast takes: everything but complex numbers.
inline constexpr TypeSet kCastable = (kAnyTensor | kFloat6) - kComplex;

}  // namespace godwit::ops
