// Cuts element-wise work into chunks that the first-level cache holds, so that rounding what was
// just computed costs no second trip to memory, and spreads the chunks over the threads.
#include "kernels/elementwise.h"

#include <algorithm>
#include <mutex>

#include "kernels/chunks.h"
#include "kernels/elementwise_loops.h"

namespace godwit::kernels {

void unary(const UnaryCall& call) {
  const ElementwiseLoops& loops = elementwise_loops();
  for_each_chunk(1, call.n, call.store, [&](std::size_t, std::size_t at, std::size_t n) {
    loops.unary(call.op, call.in + at, call.out + at, n, call.a, call.b);
    return call.out + at;
  });
}

void binary(const BinaryCall& call) {
  const ElementwiseLoops& loops = elementwise_loops();
  const auto is_dense = [&](const Operand& operand) {
    return operand.column_step == 1 && operand.row_step == call.columns;
  };
  const auto is_scalar = [](const Operand& operand) {
    return operand.column_step == 0 && operand.row_step == 0;
  };
  // Without a row or column to repeat, all is one row.
  const bool flat =
      (is_dense(call.x) || is_scalar(call.x)) && (is_dense(call.y) || is_scalar(call.y));
  const std::size_t rows = flat ? 1 : call.rows;
  const std::size_t columns = flat ? call.rows * call.columns : call.columns;
  for_each_chunk(rows, columns, call.store, [&](std::size_t row, std::size_t at, std::size_t n) {
    float* const out = call.out + row * columns + at;
    loops.binary(call.op, call.x.data + row * call.x.row_step + at * call.x.column_step,
                 call.x.column_step, call.y.data + row * call.y.row_step + at * call.y.column_step,
                 call.y.column_step, out, n);
    return out;
  });
}

void scale_shift(const ScaleShift& call) {
  const ElementwiseLoops& loops = elementwise_loops();
  for_each_chunk(call.planes, call.pixels, call.store,
                 [&](std::size_t plane, std::size_t at, std::size_t n) {
                   const std::size_t channel = plane % call.channels;
                   float* const out = call.out + plane * call.pixels + at;
                   loops.scale_shift(call.in + plane * call.pixels + at, out, n,
                                     call.scale[channel], call.shift[channel]);
                   if (call.activation != Unary::kIdentity) {
                     loops.unary(call.activation, out, out, n, call.a, call.b);
                   }
                   return out;
                 });
}

}  // namespace godwit::kernels
