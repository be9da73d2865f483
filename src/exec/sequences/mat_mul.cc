// MatMul on the cube: operands narrowed to what it reads, sums in its order.
#include "exec/sequence.h"
#include "ops/walk.h"

namespace godwit::exec::sequences {
namespace {

using ir::Sizes;

// Sizes as a stack of matrices; a vector is a row on the left and a column on the right.
struct Stack {
  Sizes batch;
  std::size_t rows, columns;
};

Stack stack_of(const Sizes& dims, bool is_left) {
  const std::size_t rank = dims.size();
  if (rank == 1) {
    const auto length = static_cast<std::size_t>(dims[0]);
    return {{}, is_left ? 1 : length, is_left ? length : 1};
  }
  return {Sizes(dims.begin(), dims.end() - 2), static_cast<std::size_t>(dims[rank - 2]),
          static_cast<std::size_t>(dims[rank - 1])};
}

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  const ir::Tensor& left = call.input(0);
  const ir::Tensor& right = call.input(1);
  const bool is_float = left.type() == ir::ElementType::kFloat && left.rank() && right.rank();
  if (!is_float || right.type() != left.type()) return call.op().evaluate(call);
  const Stack a = stack_of(left.dims(), true), b = stack_of(right.dims(), false);
  const auto batch = ops::broadcast(a.batch, b.batch);
  if (!batch || a.columns != b.rows) return call.op().evaluate(call);  // which says what is wrong
  Sizes dims = *batch;
  if (left.rank() > 1) dims.push_back(static_cast<std::int64_t>(a.rows));
  if (right.rank() > 1) dims.push_back(static_cast<std::int64_t>(b.columns));
  ASSIGN(const ir::Tensor x, cube_operand(step, 0, step.chip.matmul_input));
  ASSIGN(const ir::Tensor w, cube_operand(step, 1, step.chip.matmul_input));
  ASSIGN(const std::span<float> y, call.make<float>(0, dims));
  kernels::Gemm product{.m = a.rows, .n = b.columns, .k = a.columns, .c_stride = b.columns};
  product.epilogue.losses = &step.losses;
  product.order = summation(step);
  ops::Odometer at(
      *batch, {ops::broadcast_strides(a.batch, *batch), ops::broadcast_strides(b.batch, *batch)});
  for (float* c = y.data(); !at.done(); at.next(), c += a.rows * b.columns) {
    product.a = {x.values<float>().data() + at.offset(0) * a.rows * a.columns, a.columns, 1};
    product.b = {w.values<float>().data() + at.offset(1) * b.rows * b.columns, b.columns, 1};
    product.c = c;
    kernels::gemm(product);
  }
  return {};
}

}  // namespace

extern const Sequence mat_mul = {.op = "MatMul", .run = run};

}  // namespace godwit::exec::sequences
