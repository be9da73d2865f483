// Product of quantized matrices, quantized again.
#include "ops/expect.h"
#include "ops/matmul.h"
#include "ops/quantize.h"

namespace godwit::ops::operators {
namespace {

enum Input : std::size_t { kA, kAScale, kAZero, kB, kBScale, kBZero, kYScale, kYZero };

Status infer(Inference& n) {
  const Shape *const a = n.shape(kA), *const b = n.shape(kB);
  std::optional<Shape> shape;
  if (a && b) {
    ASSIGN(shape, matmul_shape(n, *a, *b));
  }
  n.set(0, n.element(kYZero), std::move(shape));
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const MatMul sizes, read_matmul(call, kA, kB));
  const std::size_t a_rank = call.input(kA).rank(), b_rank = call.input(kB).rank();
  const std::size_t rank = sizes.dims.size();
  const std::size_t rows = rank < 2 ? 0 : rank - 2, columns = rank < 1 ? 0 : rank - 1;
  ASSIGN(const std::vector<double> a, centred(call, kA, kAZero, a_rank < 2 ? 0 : a_rank - 2));
  ASSIGN(const std::vector<double> b, centred(call, kB, kBZero, b_rank - 1));
  ASSIGN(const std::vector<double> a_scale, spread(call, kAScale, sizes.dims, rows));
  ASSIGN(const std::vector<double> b_scale, spread(call, kBScale, sizes.dims, columns));
  ASSIGN(const std::vector<double> y_scale, spread(call, kYScale, sizes.dims, columns));
  ASSIGN(const std::vector<double> zero, spread(call, kYZero, sizes.dims, columns));
  ASSIGN(Tensor* const y, call.make(0, call.input(kYZero).type(), sizes.dims));
  multiply<double>(
      sizes, [&](std::size_t i) { return a[i]; }, [&](std::size_t i) { return b[i]; },
      [&](std::size_t i, double sum) {
        const double value = sum * (a_scale[i] * b_scale[i] / y_scale[i]);
        store_quantized(y->type(), y->mutable_data(), i, value, zero[i]);
      });
  return {};
}

}  // namespace

extern const Operator q_linear_mat_mul = {
    .name = "QLinearMatMul",
    .doc = "Matrix product of quantized numbers, quantized by the scale of the result.",
    .since = 10,
    .inputs = {{"a", 'A', kBytes | since(21, kFloat8)},
               {"a_scale", 'S', kFloat | since(21, kSingles)},
               {"a_zero_point", 'A', kBytes | since(21, kFloat8)},
               {"b", 'B', kBytes | since(21, kFloat8)},
               {"b_scale", 'S', kFloat | since(21, kSingles)},
               {"b_zero_point", 'B', kBytes | since(21, kFloat8)},
               {"y_scale", 'S', kFloat | since(21, kSingles)},
               {"y_zero_point", 'Y', kBytes | since(21, kFloat8)}},
    .outputs = {{"y", 'Y', kBytes | since(21, kFloat8)}},
    .revisions = {21},
    .numerics = Numerics::kQuantize,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
    .flop = matmul_flop,
};

}  // namespace godwit::ops::operators
