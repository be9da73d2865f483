// Product of matrices of eight-bit numbers in 32 bits.
#include "ops/matmul.h"
#include "ops/quantize.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  ASSIGN(const MatMul sizes, read_matmul(call, 0, 1));
  const std::size_t a_rank = call.input(0).rank(), b_rank = call.input(1).rank();
  ASSIGN(const std::vector<double> a, centred(call, 0, 2, a_rank < 2 ? 0 : a_rank - 2));
  ASSIGN(const std::vector<double> b, centred(call, 1, 3, b_rank - 1));
  ASSIGN(Tensor* const y, call.make(0, ElementType::kInt32, sizes.dims));
  multiply<double>(
      sizes, [&](std::size_t i) { return a[i]; }, [&](std::size_t i) { return b[i]; },
      [&](std::size_t i, double sum) {
        store_cast(ElementType::kInt32, y->mutable_data(), i, sum, {});
      });
  return {};
}

}  // namespace

extern const Operator mat_mul_integer = {
    .name = "MatMulInteger",
    .doc = "Matrix product of eight-bit numbers minus their zero points, summed in 32 bits.",
    .since = 10,
    .inputs = {{"A", 'A', kBytes},
               {"B", 'B', kBytes},
               {"a_zero_point", 'A', kBytes, kOptional},
               {"b_zero_point", 'B', kBytes, kOptional}},
    .outputs = {{"Y", 'Y', kInt32}},
    .numerics = Numerics::kQuantize,
    .infer = [](Inference& n) { return infer_matmul(n, 0, 1, ElementType::kInt32); },
    .evaluate = evaluate,
    .flop = matmul_flop,
};

}  // namespace godwit::ops::operators
