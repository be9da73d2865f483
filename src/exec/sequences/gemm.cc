// Gemm on the cube: the product in its order, then alpha, beta and the bias in fp32.
#include <algorithm>

#include "exec/sequence.h"
#include "ops/walk.h"

namespace godwit::exec::sequences {
namespace {

using kernels::MatrixView;

MatrixView view(const ir::Tensor& tensor, bool is_transposed) {
  const MatrixView plain{tensor.values<float>().data(), static_cast<std::size_t>(tensor.dims()[1]),
                         1};
  return is_transposed ? plain.transposed() : plain;
}

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  const bool is_float = call.input(0).type() == ir::ElementType::kFloat &&
                        call.input(1).type() == ir::ElementType::kFloat &&
                        call.input(0).rank() == 2 && call.input(1).rank() == 2;
  if (!is_float) return call.op().evaluate(call);
  const bool turns_a = call.flag("transA"), turns_b = call.flag("transB");
  const ir::Sizes& a = call.input(0).dims();
  const ir::Sizes& b = call.input(1).dims();
  const ir::Sizes dims = {a[turns_a ? 1 : 0], b[turns_b ? 0 : 1]};
  const auto fits = call.has_input(2) ? ops::broadcast(call.input(2).dims(), dims) : dims;
  if (a[turns_a ? 0 : 1] != b[turns_b ? 1 : 0] || fits != dims) return call.op().evaluate(call);
  ASSIGN(const ir::Tensor x, cube_operand(step, 0, step.chip.matmul_input));
  ASSIGN(const ir::Tensor w, cube_operand(step, 1, step.chip.matmul_input));
  ASSIGN(const std::span<float> y, call.make<float>(0, dims));
  kernels::Gemm product{.m = static_cast<std::size_t>(dims[0]),
                        .n = static_cast<std::size_t>(dims[1]),
                        .k = static_cast<std::size_t>(a[turns_a ? 0 : 1]),
                        .a = view(x, turns_a),
                        .b = view(w, turns_b),
                        .c = y.data(),
                        .c_stride = static_cast<std::size_t>(dims[1]),
                        .alpha = call.number("alpha")};
  product.epilogue.losses = &step.losses;
  product.order = summation(step);
  if (call.has_input(2)) {
    const std::span<const float> bias = call.values<float>(2);
    ops::Odometer at(dims, {ops::broadcast_strides(call.input(2).dims(), dims)});
    for (std::size_t i = 0; !at.done(); at.next(), ++i) y[i] = bias[at.offset(0)];
    product.beta = call.number("beta");
  }
  kernels::gemm(product);
  return {};
}

}  // namespace

extern const Sequence gemm = {.op = "Gemm", .run = run};

}  // namespace godwit::exec::sequences
