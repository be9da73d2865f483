// Element types of tensors: their numbers in ONNX, their names, their widths, and sets of them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace godwit::ir {

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
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
  kFloat6E2M3 = 27,
  kFloat6E3M2 = 28,
  kLast = 28,
};

/// "fp32", "i64" … as in data/; "string"; "?" for a number that we do not know.
std::string_view code(ElementType type);

/// "float", "int64" … as ONNX writes them in text; "undefined" for a number that we do not know.
std::string_view name(ElementType type);

/// The type of that name in lower case; kUndefined when there is none.
ElementType element_type(std::string_view name);

/// Bits of one element in a file; 0 for strings and unknown types.
std::uint32_t bits(ElementType type);

/// Bytes of one element in memory, where the types under eight bits take a byte each; strings are
/// std::string objects. 0 for unknown types.
std::uint32_t bytes_in_memory(ElementType type);

bool is_floating(ElementType type);
/// Whole numbers of any width and sign; not bool.
bool is_integer(ElementType type);

/// A set of element types.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<ElementType> types) {
    for (const ElementType type : types) bits_ |= bit(type);
  }
  constexpr bool has(ElementType type) const { return bits_ & bit(type); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool operator==(const TypeSet&) const = default;
  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) { return TypeSet(a.bits_ | b.bits_); }
  friend constexpr TypeSet operator-(TypeSet a, TypeSet b) { return TypeSet(a.bits_ & ~b.bits_); }

 private:
  constexpr explicit TypeSet(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(ElementType type) {
    const auto number = static_cast<std::uint32_t>(type);
    return number < 64 ? std::uint64_t{1} << number : 0;
  }
  std::uint64_t bits_ = 0;
};

}  // namespace godwit::ir
