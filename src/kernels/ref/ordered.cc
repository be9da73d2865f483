// Products in a prescribed order, one element at a time: the truth of ordered_gemm.
#include "kernels/ordered.h"

#include <algorithm>

namespace godwit::kernels::ref {
namespace {

constexpr std::size_t kFractal = 16;

float tree(const float* values, std::size_t n) {
  if (n == 1) return values[0];
  return tree(values, n / 2) + tree(values + n / 2, n / 2);
}

}  // namespace

float ordered_dot(std::size_t k, const float* a, std::size_t a_step, const float* b,
                  std::size_t b_step, Summation how) {
  float sum = 0;
  if (how.order == Order::kExact) {
    double wide = 0;
    for (std::size_t i = 0; i < k; ++i) wide += double{a[i * a_step]} * double{b[i * b_step]};
    return narrow(static_cast<float>(wide), how.accumulator);
  }
  if (how.order == Order::kSequential) {
    for (std::size_t i = 0; i < k; ++i) {
      sum = narrow(sum + a[i * a_step] * b[i * b_step], how.accumulator);
    }
    return sum;
  }
  for (std::size_t start = 0; start < k; start += kFractal) {
    float products[kFractal] = {};
    for (std::size_t i = start; i < std::min(k, start + kFractal); ++i) {
      products[i - start] = a[i * a_step] * b[i * b_step];
    }
    sum = narrow(sum + tree(products, kFractal), how.accumulator);
  }
  return sum;
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
        const std::size_t offset = row * call.c_stride + column;
        float x = ordered_dot(call.k, a + row * call.a.row_stride, call.a.column_stride,
                              b + column * call.b.column_stride, call.b.row_stride, how);
        if (call.alpha != 1) x = call.alpha * x;
        if (call.beta != 0) x = call.beta * c[offset] + x;
        c[offset] = finish(x, epilogue, row, column, offset);
      }
    }
  }
}

}  // namespace godwit::kernels::ref
