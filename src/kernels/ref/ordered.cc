// Products in a prescribed order, one element at a time: the truth of products with an order.
#include "kernels/ordered.h"

#include <algorithm>
#include <cmath>

#include "kernels/gemm.h"

namespace godwit::kernels::ref {

void OrderedSum::add(std::size_t n, const float* a, std::size_t a_step, const float* b,
                     std::size_t b_step) {
  float block = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float x = a[i * a_step], y = b[i * b_step];
    switch (how_.order) {
      case Order::kExact: wide_ += double{x} * double{y}; break;
      case Order::kSequential: sum_ = narrow(std::fma(x, y, sum_), how_.accumulator); break;
      case Order::kCube16: block = std::fma(x, y, block); break;
    }
  }
  if (how_.order == Order::kCube16) sum_ = narrow(sum_ + block, how_.accumulator);
}

float OrderedSum::result() const {
  return how_.order == Order::kExact ? narrow(static_cast<float>(wide_), how_.accumulator) : sum_;
}

void ordered_gemm(const Gemm& call, Summation how) {
  for (std::size_t item = 0; item < call.batch; ++item) {
    const float* const a = call.a.data + item * call.a_step;
    const float* const b = call.b.data + item * call.b_step;
    float* const c = call.c + item * call.c_step;
    Epilogue epilogue = call.epilogue;
    if (epilogue.residual != nullptr) epilogue.residual += item * call.c_step;
    for (std::size_t row = 0; row < call.m; ++row) {
      for (std::size_t column = 0; column < call.n; ++column) {
        OrderedSum sum(how);
        for (std::size_t k = 0; k < call.k; k += kFractal) {
          sum.add(std::min(kFractal, call.k - k),
                  a + row * call.a.row_stride + k * call.a.column_stride, call.a.column_stride,
                  b + column * call.b.column_stride + k * call.b.row_stride, call.b.row_stride);
        }
        const std::size_t offset = row * call.c_stride + column;
        float x = sum.result();
        if (call.alpha != 1) x = call.alpha * x;
        if (call.beta != 0) x = call.beta * c[offset] + x;
        c[offset] = finish(x, epilogue, row, column, offset);
      }
    }
  }
}

}  // namespace godwit::kernels::ref
