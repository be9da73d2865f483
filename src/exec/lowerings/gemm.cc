// alpha A' B' + beta C with either operand transposed.
#include "kernels/gemm.h"
#include "exec/cube.h"

namespace godwit::exec::lowerings {
namespace {

Result<Step> make(const Part& part) {
  const auto a = part.sizes(part.input(0)), b = part.sizes(part.input(1));
  if (!a || !b || a->size() != 2 || b->size() != 2 || !part.is_fp32(part.input(0))) return Step();
  const auto size = [](const ir::Sizes& dims, bool is_swapped, std::size_t axis) {
    return static_cast<std::size_t>(dims[is_swapped ? 1 - axis : axis]);
  };
  const bool swaps_a = part.flag("transA"), swaps_b = part.flag("transB");
  kernels::Gemm call{.m = size(*a, swaps_a, 0),
                     .n = size(*b, swaps_b, 1),
                     .k = size(*a, swaps_a, 1),
                     .c_stride = size(*b, swaps_b, 1),
                     .alpha = part.number("alpha"),
                     .epilogue = part.epilogue(BiasAxis::kLast)};
  const ir::ValueId bias = part.input(2);
  if (bias != ir::kNone) {
    const ir::Tensor* const held = part.constant(bias);
    const bool is_row =
        held && part.floats(bias) && part.number("beta") == 1 && part.tail().bias == ir::kNone &&
        held->count() == static_cast<std::int64_t>(call.n) && held->dims().back() == held->count();
    if (!is_row) return Step();
    call.epilogue.column_bias = part.floats(bias);
  }
  const auto view = [](const float* data, const ir::Sizes& dims, bool is_swapped) {
    const kernels::MatrixView straight{data, static_cast<std::size_t>(dims[1])};
    return is_swapped ? straight.transposed() : straight;
  };
  std::shared_ptr<const kernels::PackedMatrix> packed;
  if (const float* const weights = part.floats(part.input(1))) {
    packed = std::make_shared<const kernels::PackedMatrix>(kernels::Side::kRight, call.k, call.n,
                                                           view(weights, *b, swaps_b));
    part.packed(part.input(1));
  }
  ASSIGN(const ir::ValueId left, part.reads(part.input(0)));
  ASSIGN(const ir::ValueId right, part.reads(part.input(1)));
  ASSIGN(const ir::ValueId residual, part.reads(part.tail().residual));
  const ir::ValueId out = part.output();
  return Step([=, a_dims = *a, b_dims = *b](Frame& frame) mutable -> Status {
    ASSIGN(call.c, frame.write<float>(out));
    call.a = view(frame.read<float>(left), a_dims, swaps_a);
    call.packed_b = packed.get();
    if (!packed) call.b = view(frame.read<float>(right), b_dims, swaps_b);
    if (residual != ir::kNone) call.epilogue.residual = frame.read<float>(residual);
    kernels::gemm(call);
    return {};
  });
}

Result<Step> make_on_chip(const Part& part) {
  const auto a = part.sizes(part.input(0)), b = part.sizes(part.input(1));
  if (!a || !b || a->size() != 2 || b->size() != 2 || !part.is_fp32(part.input(0)) ||
      !part.is_fp32(part.input(1)))
    return Step();
  const bool swaps_a = part.flag("transA"), swaps_b = part.flag("transB");
  const auto size = [](std::int64_t dim) { return static_cast<std::size_t>(dim); };
  CubeProduct product{.cube = Cube(part, part.npu()->chip().matmul_input),
                      .call = {.m = size((*a)[swaps_a ? 1 : 0]),
                               .n = size((*b)[swaps_b ? 0 : 1]),
                               .k = size((*a)[swaps_a ? 0 : 1]),
                               .c_stride = size((*b)[swaps_b ? 0 : 1]),
                               .alpha = part.number("alpha")},
                      .a_count = size((*a)[0] * (*a)[1]),
                      .b_count = size((*b)[0] * (*b)[1])};
  const ir::ValueId bias = part.input(2);
  if (bias != ir::kNone) {
    const ir::Tensor* const held = part.constant(bias);
    const bool is_row = held && part.floats(bias) && part.number("beta") == 1 &&
                        held->count() == (*b)[swaps_b ? 0 : 1] &&
                        held->dims().back() == held->count();
    if (!is_row) return Step();
    product.call.epilogue.column_bias = part.floats(bias);
  }
  const kernels::MatrixView straight_a{nullptr, size((*a)[1])}, straight_b{nullptr, size((*b)[1])};
  product.call.a = swaps_a ? straight_a.transposed() : straight_a;
  product.call.b = swaps_b ? straight_b.transposed() : straight_b;
  return product.step(part, true);
}

}  // namespace

extern const Lowering gemm = {
    .ops = {"Gemm"},
    .bias = BiasAxis::kLast,
    .takes_residual = true,
    .takes_activation = true,
    .takes_chain = true,
    .make = make,
    .make_on_chip = make_on_chip,
};

}  // namespace godwit::exec::lowerings
