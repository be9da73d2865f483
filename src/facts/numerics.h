// How a chip stores, rounds, adds and converts floating-point numbers: data/numerics.tsv, typed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit::facts {

/// One cell with the reason we believe it.
struct NumericsCell {
  std::string cell{}, value{};
  std::string basis{};  // "documented", "derived" or "assumed"
  std::string source{}, at{};
};

/// What a product on the cube reads of an fp32 number.
enum class CubeInput : std::uint8_t { kFp16, kHf32, kFp32 };
/// The order in which products along K are added (see kernels/ordered.h).
enum class SumOrder : std::uint8_t { kCube16, kSequential, kExact };

struct Numerics {
  std::string family{};
  bool saturates = false;            // overflow: Inf becomes the largest number, NaN becomes 0
  bool stores_fp32_as_fp16 = false;  // store.fp32: what ATC makes of an fp32 tensor by default
  CubeInput matmul_input = CubeInput::kFp32, conv_input = CubeInput::kFp32;
  bool hf32_ties_away = false;  // hf32.tie
  bool accumulates_in_fp16 = false;
  SumOrder order = SumOrder::kCube16;
  bool softmax_ties_away = false;  // softmax.rounding: of the last cast
  bool gelu_is_tanh = true;        // gelu.form: the tanh form by exp, else erf
  bool gelu_in_fp16 = false;       // gelu.type: every step rounded to fp16
  bool layernorm_divides = true;   // layernorm.root: Sqrt then Div, else Rsqrt then Mul
  bool reduces_by_tree = true;     // reduce.order: a binary tree inside 256 bytes
  bool reduces_in_fp16 = false;    // reduce.type
  bool quantizes_in_fp16 = true;   // quant.type: x, scale and offset as half before the product
  bool dequant_scale_is_19_bits = true;  // dequant.scale: sign, 8 and 10 bits; the rest is dropped
  bool keeps_subnormals = true;          // subnormal
  double transcendental_ulp = 1;         // transcendental.ulp: bound of exp, ln …, in fp32 ULPs
  // Of every chip, from precision/estimates.tsv:
  double moved_by_order = 0;  // share of fp16 results that another order of sums changes, by an ULP
  double order_in_fp32 = 0;   // relative rms error of the order alone where results stay fp32
  std::vector<NumericsCell> cells{};
};

/// The numerics of a family ("ascend310p"). Errors: E170 not described, E171 a cell is missing or
/// has a value that it cannot have.
Result<Numerics> numerics(std::string_view family);

/// Families that are described, sorted.
Result<std::vector<std::string>> numerics_families();

}  // namespace godwit::facts
