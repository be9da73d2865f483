// exp, tanh, erf and what is made of them, on vectors of fp32. The polynomials are our own minimax
// fits in fp32 coefficients; the bounds are those that tests/unit/kernels/elementwise_test.cc finds
// by trying values over the whole range against fp64.
// No #pragma once: it is read once for each instruction set.
#if defined(GODWIT_KERNELS_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GODWIT_KERNELS_MATH_INL
#undef GODWIT_KERNELS_MATH_INL
#else
#define GODWIT_KERNELS_MATH_INL
#endif

#include <hwy/highway.h>

#include "kernels/simd/narrow_inl.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {

/// c[0] + c[1] x + ..., by Horner.
template <std::size_t kN>
HWY_INLINE VF polynomial(VF x, const float (&c)[kN]) {
  const F f;
  VF sum = hn::Set(f, c[kN - 1]);
  for (std::size_t i = kN - 1; i-- > 0;) sum = hn::MulAdd(sum, x, hn::Set(f, c[i]));
  return sum;
}

/// 2^n for -126 <= n <= 127.
HWY_INLINE VF power_of_two(hn::Vec<hn::RebindToSigned<F>> n) {
  const hn::RebindToSigned<F> i;
  return hn::BitCast(F(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(i, 127))));
}

/// e^x to 1.1 ULP, subnormal results included; Inf above 88.73, NaN stays.
HWY_INLINE VF exp(VF x) {
  const F f;
  const hn::RebindToSigned<F> i;
  const VF bounded = hn::Max(hn::Min(x, hn::Set(f, 89.0f)), hn::Set(f, -104.0f));
  const VF n = hn::Round(hn::Mul(bounded, hn::Set(f, 1.44269504f)));
  // ln 2 in two parts: n times the first is exact.
  VF r = hn::NegMulAdd(n, hn::Set(f, 0.693359375f), bounded);
  r = hn::NegMulAdd(n, hn::Set(f, -2.12194440e-4f), r);
  constexpr float kTerms[] = {0.5f, 0.16666515f, 0.041666374f, 0.008369394f, 0.0013943254f};
  VF y = hn::MulAdd(hn::Mul(r, r), polynomial(r, kTerms), r);
  y = hn::Add(y, hn::Set(f, 1.0f));
  // In two steps, so that neither power leaves the range and a subnormal result is rounded once.
  const auto whole = hn::ConvertTo(i, n);
  const auto half = hn::ShiftRight<1>(whole);
  y = hn::Mul(hn::Mul(y, power_of_two(half)), power_of_two(hn::Sub(whole, half)));
  return hn::IfThenElse(hn::Eq(x, x), y, x);
}

/// 1 / (1 + e^-x) to 2.5 ULP.
HWY_INLINE VF sigmoid(VF x) {
  const F f;
  const VF one = hn::Set(f, 1.0f);
  // Of e^-|x|, which never overflows, and keeps its precision for x far below 0.
  const VF e = exp(hn::Neg(hn::Abs(x)));
  const VF numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(f)), e, one);
  return hn::Div(numerator, hn::Add(one, e));
}

/// tanh x to 1.5 ULP.
HWY_INLINE VF tanh(VF x) {
  const F f;
  const VF z = hn::Abs(x);
  const VF one = hn::Set(f, 1.0f);
  const VF square = hn::Mul(x, x);
  constexpr float kTerms[] = {-0.33333197f, 0.13329253f, -0.053567484f, 0.020112729f,
                              -0.0051559359f};
  const VF small = hn::MulAdd(hn::Mul(x, square), polynomial(square, kTerms), x);
  const VF e = exp(hn::Add(z, z));
  const VF large = hn::Sub(one, hn::Div(hn::Set(f, 2.0f), hn::Add(e, one)));
  // NaN fails the comparison and comes through `large`.
  // The sign of a zero, too.
  return hn::CopySign(hn::IfThenElse(hn::Lt(z, hn::Set(f, 0.65f)), small, large), x);
}

/// erf x to 1.5 ULP.
HWY_INLINE VF erf(VF x) {
  const F f;
  const VF z = hn::Abs(x);
  const VF square = hn::Mul(x, x);
  constexpr float kSmall[] = {0.12837917f,   -0.37612629f,    0.11283626f,   -0.026855731f,
                              0.0051924051f, -0.00080497697f, 7.9966492e-05f};
  const VF small = hn::MulAdd(x, polynomial(square, kSmall), x);
  // erfc t = e^-(t + t q(t)); beyond 4 it is less than half an ULP of 1.
  constexpr float kLarge[] = {0.12864849f,   0.63515133f,     0.10623685f,   -0.02376202f,
                              0.0036424296f, -0.00032279402f, 1.1230014e-05f};
  const VF t = hn::IfThenElse(hn::Gt(z, hn::Set(f, 4.0f)), hn::Set(f, 4.0f), z);
  const VF power = hn::MulAdd(t, polynomial(t, kLarge), t);
  const VF large = hn::Sub(hn::Set(f, 1.0f), exp(hn::Neg(power)));
  return hn::IfThenElse(hn::Lt(z, hn::Set(f, 0.92f)), small, hn::CopySign(large, x));
}

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
