// Products of stacks of matrices as numpy.matmul defines them: MatMul and its integer forms.
#pragma once

#include <vector>

#include "ops/arithmetic.h"
#include "ops/call.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops {

/// The shape of a product. Errors: E151 shapes that do not fit.
Result<Shape> matmul_shape(const Site& site, const Shape& a, const Shape& b);
/// Shape rule: output 0 is the product of inputs `a` and `b`.
Status infer_matmul(Inference& n, std::size_t a, std::size_t b, ElementType made);
/// Two operations for every product that is added.
Dim matmul_flop(const Inference& n);

/// A stack of products [batch …, rows, columns] over `inner`.
struct MatMul {
  Sizes dims;                                // of the output, where vectors have lost their axis
  Sizes batch;                               // of the output
  std::vector<std::int64_t> a_step, b_step;  // per axis of the batch, in matrices
  std::size_t rows, inner, columns;
};
/// Errors: E151 shapes that do not fit.
Result<MatMul> read_matmul(const Call& call, std::size_t a, std::size_t b);

/// store(i, sum) for every element i of the output; a(i) and b(i) are elements of the inputs.
template <class Sum, class A, class B, class Store>
void multiply(const MatMul& sizes, A&& a, B&& b, Store&& store) {
  std::vector<Sum> row(sizes.columns);
  std::size_t out = 0;
  for (Odometer at(sizes.batch, {sizes.a_step, sizes.b_step}); !at.done(); at.next()) {
    const std::size_t a_first = at.offset(0) * sizes.rows * sizes.inner;
    const std::size_t b_first = at.offset(1) * sizes.inner * sizes.columns;
    for (std::size_t r = 0; r < sizes.rows; ++r) {
      std::fill(row.begin(), row.end(), Sum(0));
      for (std::size_t k = 0; k < sizes.inner; ++k) {
        const Sum x = a(a_first + r * sizes.inner + k);
        for (std::size_t c = 0; c < sizes.columns; ++c) {
          const Sum y = b(b_first + k * sizes.columns + c);
          row[c] = wrapping_add(row[c], wrapping_multiply(x, y));
        }
      }
      for (std::size_t c = 0; c < sizes.columns; ++c) store(out++, row[c]);
    }
  }
}

}  // namespace godwit::ops
