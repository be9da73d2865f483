// Matrix product by the packed GEMM; constant weights are packed once.
#include <algorithm>

#include "exec/cube.h"
#include "kernels/gemm.h"

namespace godwit::exec::lowerings {
namespace {

using ir::Sizes;

// A product of [..., M, K] and [K, N] or [..., K, N], leading sizes equal.
struct Problem {
  std::size_t batch = 1, m = 0, k = 0, n = 0;
  bool shares_b = false;
};

std::optional<Problem> problem_of(const Sizes& a, const Sizes& b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  Problem p;
  p.m = static_cast<std::size_t>(a[a.size() - 2]);
  p.k = static_cast<std::size_t>(a.back());
  p.n = static_cast<std::size_t>(b.back());
  for (std::size_t i = 0; i + 2 < a.size(); ++i) p.batch *= static_cast<std::size_t>(a[i]);
  p.shares_b = b.size() == 2;
  const bool same_batch =
      a.size() == b.size() && std::equal(a.begin(), a.end() - 2, b.begin(), b.end() - 2);
  if (!p.shares_b && !same_batch) return std::nullopt;
  if (p.shares_b) {  // one product with all rows below each other
    p.m *= p.batch;
    p.batch = 1;
  }
  return p;
}

Result<Step> make(const Part& part) {
  const auto a = part.sizes(part.input(0)), b = part.sizes(part.input(1));
  if (!a || !b || !part.is_fp32(part.input(0))) return Step();
  const std::optional<Problem> problem = problem_of(*a, *b);
  if (!problem) return Step();
  const Problem p = *problem;
  kernels::Gemm call{.m = p.m,
                     .n = p.n,
                     .k = p.k,
                     .c_stride = p.n,
                     .epilogue = part.epilogue(BiasAxis::kLast),
                     .batch = p.batch,
                     .a_step = p.m * p.k,
                     .b_step = p.k * p.n,
                     .c_step = p.m * p.n};
  std::shared_ptr<const kernels::PackedMatrix> packed;
  const float* const weights = part.floats(part.input(1));
  if (weights && p.shares_b) {
    packed = std::make_shared<const kernels::PackedMatrix>(kernels::Side::kRight, p.k, p.n,
                                                           kernels::MatrixView{weights, p.n});
    part.packed(part.input(1));
  }
  ASSIGN(const ir::ValueId left, part.reads(part.input(0)));
  ASSIGN(const ir::ValueId right, part.reads(part.input(1)));
  ASSIGN(const ir::ValueId residual, part.reads(part.tail().residual));
  const ir::ValueId out = part.output();
  return Step([=](Frame& frame) mutable -> Status {
    ASSIGN(call.c, frame.write<float>(out));
    call.a = {frame.read<float>(left), call.k};
    call.b = {packed ? nullptr : frame.read<float>(right), call.n};
    call.packed_b = packed.get();
    if (residual != ir::kNone) call.epilogue.residual = frame.read<float>(residual);
    kernels::gemm(call);
    return {};
  });
}

Result<Step> make_on_chip(const Part& part) {
  const auto a = part.sizes(part.input(0)), b = part.sizes(part.input(1));
  if (!a || !b || !part.is_fp32(part.input(0)) || !part.is_fp32(part.input(1))) return Step();
  const std::optional<Problem> problem = problem_of(*a, *b);
  if (!problem) return Step();
  const Problem p = *problem;
  CubeProduct product{.cube = Cube(part, part.npu()->chip().matmul_input),
                      .call = {.m = p.m,
                               .n = p.n,
                               .k = p.k,
                               .c_stride = p.n,
                               .batch = p.batch,
                               .a_step = p.m * p.k,
                               .b_step = p.k * p.n,
                               .c_step = p.m * p.n},
                      .a_count = p.batch * p.m * p.k,
                      .b_count = (p.shares_b ? 1 : p.batch) * p.k * p.n};
  product.call.a = {nullptr, p.k};
  product.call.b = {nullptr, p.n};
  return product.step(part, p.shares_b);
}

}  // namespace

extern const Lowering mat_mul = {
    .ops = {"MatMul"},
    .bias = BiasAxis::kLast,
    .takes_residual = true,
    .takes_activation = true,
    .takes_chain = true,
    .make = make,
    .make_on_chip = make_on_chip,
};

}  // namespace godwit::exec::lowerings
