// The short dtype codes of the tables, from the words of registries, headers and torch.
#include "base/text.h"
#include "facts/importer.h"

namespace godwit::facts {

std::string dtype_code(std::string_view word) {
  struct Code {
    std::string_view word, code;
  };
  static constexpr Code kCodes[] = {
      {"float16", "fp16"},
      {"half", "fp16"},
      {"float", "fp32"},
      {"float32", "fp32"},
      {"double", "fp64"},
      {"float64", "fp64"},
      {"bfloat16", "bf16"},
      {"bf16", "bf16"},
      {"int4", "i4"},
      {"int8", "i8"},
      {"int16", "i16"},
      {"int32", "i32"},
      {"int64", "i64"},
      {"uint1", "u1"},
      {"uint2", "u2"},
      {"uint8", "u8"},
      {"uint16", "u16"},
      {"uint32", "u32"},
      {"uint64", "u64"},
      {"bool", "b"},
      {"complex32", "c32"},
      {"complex64", "c64"},
      {"complex128", "c128"},
      {"float8_e5m2", "fp8e5m2"},
      {"float8_e4m3fn", "fp8e4m3"},
      {"float8_e8m0", "fp8e8m0"},
      {"float4_e2m1", "fp4e2m1"},
      {"float4_e1m2", "fp4e1m2"},
      {"hifloat8", "hif8"},
      {"qint8", "qint8"},
      {"quint8", "quint8"},
  };
  std::string lower = to_lower(trim(word));
  if (lower.starts_with("dt_")) lower.erase(0, 3);
  for (const Code& code : kCodes) {
    if (code.word == lower) return std::string(code.code);
  }
  return lower;
}

}  // namespace godwit::facts
