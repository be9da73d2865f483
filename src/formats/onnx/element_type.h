// ONNX element types: their numbers in TensorProto.DataType, our dtype codes and their widths.
#pragma once

#include <cstdint>
#include <string_view>

namespace godwit::formats::onnx {

/// TensorProto.DataType of onnx.proto; numbers that are not listed are kept as they came.
enum class ElementType : std::int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kLast = 28,
};

/// "fp32", "i64" … as in data/; "string"; "?" for a number that we do not know.
std::string_view code(ElementType type);

/// Bits of one element; 0 for strings and unknown types.
std::uint32_t bits(ElementType type);

bool is_floating(ElementType type);

}  // namespace godwit::formats::onnx
