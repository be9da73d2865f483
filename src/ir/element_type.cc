// The table of ONNX element types, in the order of TensorProto.DataType.
#include "ir/element_type.h"

#include <array>
#include <string>

namespace godwit::ir {
namespace {

enum class Kind : std::uint8_t { kOther, kInteger, kFloating };

struct Row {
  std::string_view code;
  std::string_view name;
  std::uint32_t bits;
  Kind kind;
};

constexpr std::array<Row, 29> kRows = {{
    {"?", "undefined", 0, Kind::kOther},
    {"fp32", "float", 32, Kind::kFloating},
    {"u8", "uint8", 8, Kind::kInteger},
    {"i8", "int8", 8, Kind::kInteger},
    {"u16", "uint16", 16, Kind::kInteger},
    {"i16", "int16", 16, Kind::kInteger},
    {"i32", "int32", 32, Kind::kInteger},
    {"i64", "int64", 64, Kind::kInteger},
    {"string", "string", 0, Kind::kOther},
    {"b", "bool", 8, Kind::kOther},
    {"fp16", "float16", 16, Kind::kFloating},
    {"fp64", "double", 64, Kind::kFloating},
    {"u32", "uint32", 32, Kind::kInteger},
    {"u64", "uint64", 64, Kind::kInteger},
    {"c64", "complex64", 64, Kind::kOther},
    {"c128", "complex128", 128, Kind::kOther},
    {"bf16", "bfloat16", 16, Kind::kFloating},
    {"fp8e4m3", "float8e4m3fn", 8, Kind::kFloating},
    {"fp8e4m3uz", "float8e4m3fnuz", 8, Kind::kFloating},
    {"fp8e5m2", "float8e5m2", 8, Kind::kFloating},
    {"fp8e5m2uz", "float8e5m2fnuz", 8, Kind::kFloating},
    {"u4", "uint4", 4, Kind::kInteger},
    {"i4", "int4", 4, Kind::kInteger},
    {"fp4e2m1", "float4e2m1", 4, Kind::kFloating},
    {"fp8e8m0", "float8e8m0", 8, Kind::kFloating},
    {"u2", "uint2", 2, Kind::kInteger},
    {"i2", "int2", 2, Kind::kInteger},
    // How raw_data packs the 6-bit types is not settled: no size is derived from them.
    {"fp6e2m3", "float6e2m3", 0, Kind::kFloating},
    {"fp6e3m2", "float6e3m2", 0, Kind::kFloating},
}};

const Row& row(ElementType type) {
  const auto number = static_cast<std::uint32_t>(type);
  return kRows[number < kRows.size() ? number : 0];
}

}  // namespace

std::string_view code(ElementType type) { return row(type).code; }
std::string_view name(ElementType type) { return row(type).name; }
std::uint32_t bits(ElementType type) { return row(type).bits; }
bool is_floating(ElementType type) { return row(type).kind == Kind::kFloating; }
bool is_integer(ElementType type) { return row(type).kind == Kind::kInteger; }

ElementType element_type(std::string_view name) {
  for (std::size_t number = 1; number < kRows.size(); ++number) {
    if (kRows[number].name == name) return static_cast<ElementType>(number);
  }
  return ElementType::kUndefined;
}

std::uint32_t bytes_in_memory(ElementType type) {
  if (type == ElementType::kString) return sizeof(std::string);
  if (type == ElementType::kFloat6E2M3 || type == ElementType::kFloat6E3M2) return 1;
  return (bits(type) + 7) / 8;
}

}  // namespace godwit::ir
