// A product whose operands are narrowed before it: an fp32 matmul that the cube computes from fp16
// or HF32 numbers.
#include <cmath>

#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

double likelihood(const Pair& pair, const Layer& layer) {
  const bool is_wide = pair.stored == ir::ElementType::kFloat;
  if (!is_wide || layer.numerics != ops::Numerics::kMatrix) return 0;
  // 12.7 effective bits are HF32, 11.7 fp16; both are far beyond the rounding of fp32.
  const double bits = -std::log2(layer.figure("relative_rmse"));
  return layer.input_error < layer.figure("relative_rmse") / 2 && bits > 8 && bits < 14 ? 0.85 : 0;
}

}  // namespace

extern const Cause input_rounding = {.code = "C006", .likelihood = likelihood, .is_quiet = true};

}  // namespace godwit::compare::causes
