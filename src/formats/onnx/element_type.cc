// The table of ONNX element types, in the order of TensorProto.DataType.
#include "formats/onnx/element_type.h"

#include <array>

namespace godwit::formats::onnx {
namespace {

struct Row {
  std::string_view code;
  std::uint32_t bits;
  bool floating = false;
};

constexpr std::array<Row, 29> kRows = {{
    {"?", 0},
    {"fp32", 32, true},
    {"u8", 8},
    {"i8", 8},
    {"u16", 16},
    {"i16", 16},
    {"i32", 32},
    {"i64", 64},
    {"string", 0},
    {"b", 8},
    {"fp16", 16, true},
    {"fp64", 64, true},
    {"u32", 32},
    {"u64", 64},
    {"c64", 64},
    {"c128", 128},
    {"bf16", 16, true},
    {"fp8e4m3", 8, true},
    {"fp8e4m3uz", 8, true},
    {"fp8e5m2", 8, true},
    {"fp8e5m2uz", 8, true},
    {"u4", 4},
    {"i4", 4},
    {"fp4e2m1", 4, true},
    {"fp8e8m0", 8, true},
    {"u2", 2},
    {"i2", 2},
    // How raw_data packs the 6-bit types is not settled: no size is derived from them.
    {"fp6e2m3", 0, true},
    {"fp6e3m2", 0, true},
}};

const Row& row(ElementType type) {
  const auto number = static_cast<std::uint32_t>(type);
  return kRows[number < kRows.size() ? number : 0];
}

}  // namespace

std::string_view code(ElementType type) { return row(type).code; }
std::uint32_t bits(ElementType type) { return row(type).bits; }
bool is_floating(ElementType type) { return row(type).floating; }

}  // namespace godwit::formats::onnx
