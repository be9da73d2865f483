// Product of two matrices, or of stacks of them.
#include "ops/matmul.h"

namespace godwit::ops::operators {

extern const Operator mat_mul = {
    .name = "MatMul",
    .doc =
        "Matrix product; axes before the last two broadcast, vectors count as one row or column.",
    .inputs = {{"A", 'T', floats(13) | since(9, kWideIntegers)},
               {"B", 'T', floats(13) | since(9, kWideIntegers)}},
    .outputs = {{"Y", 'T', floats(13) | since(9, kWideIntegers)}},
    .revisions = {9, 13},
    .numerics = Numerics::kMatrix,
    .infer = [](Inference& n) { return infer_matmul(n, 0, 1, n.element(0)); },
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          ASSIGN(const MatMul sizes, read_matmul(call, 0, 1));
                          const std::span<const T> a = call.values<T>(0), b = call.values<T>(1);
                          ASSIGN(const std::span<T> y, call.make<T>(0, sizes.dims));
                          multiply<Accumulator<T>>(
                              sizes, [&](std::size_t i) { return a[i]; },
                              [&](std::size_t i) { return b[i]; },
                              [&](std::size_t i, auto sum) { y[i] = static_cast<T>(sum); });
                          return {};
                        }),
    .flop = matmul_flop,
};

}  // namespace godwit::ops::operators
