// Element-wise functions on whole vectors, one loop for each.
#include "kernels/elementwise_loops.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise_loops.cc"
#include "kernels/simd/foreach.h"
// The instruction set is chosen above.
#include <hwy/highway.h>

#include "kernels/simd/finish_inl.h"
#include "kernels/simd/math_inl.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace {

HWY_INLINE VF clip(VF x, VF low, VF high) {
  // NaN fails every comparison.
  return hn::IfThenElse(hn::Lt(x, low), low, hn::IfThenElse(hn::Gt(x, high), high, x));
}

template <Unary kOp>
HWY_INLINE VF apply(VF x, VF a, VF b) {
  const F f;
  const VF one = hn::Set(f, 1.0f);
  if constexpr (kOp == Unary::kIdentity) return x;
  if constexpr (kOp == Unary::kNegate) return hn::Neg(x);
  if constexpr (kOp == Unary::kAbs) return hn::Abs(x);
  if constexpr (kOp == Unary::kSquare) return hn::Mul(x, x);
  if constexpr (kOp == Unary::kSqrt) return hn::Sqrt(x);
  if constexpr (kOp == Unary::kReciprocal) return hn::Div(one, x);
  if constexpr (kOp == Unary::kRsqrt) return hn::Div(one, hn::Sqrt(x));
  if constexpr (kOp == Unary::kRelu) return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(f)), x);
  if constexpr (kOp == Unary::kClip) return clip(x, a, b);
  if constexpr (kOp == Unary::kLeakyRelu) {
    return hn::IfThenElse(hn::Lt(x, hn::Zero(f)), hn::Mul(a, x), x);
  }
  if constexpr (kOp == Unary::kExp) return exp(x);
  if constexpr (kOp == Unary::kSigmoid) return sigmoid(x);
  if constexpr (kOp == Unary::kTanh) return tanh(x);
  if constexpr (kOp == Unary::kErf) return erf(x);
  if constexpr (kOp == Unary::kGelu) {
    const VF e = erf(hn::Mul(x, hn::Set(f, 0.70710678f)));
    return hn::Mul(hn::Mul(hn::Set(f, 0.5f), x), hn::Add(one, e));
  }
  if constexpr (kOp == Unary::kGeluTanh) {
    const VF cube = hn::Mul(hn::Mul(x, x), x);
    const VF inner = hn::MulAdd(hn::Set(f, 0.044715f), cube, x);
    return hn::Mul(x, sigmoid(hn::Mul(hn::Set(f, 1.59576912f), inner)));
  }
  if constexpr (kOp == Unary::kSilu) return hn::Mul(x, sigmoid(x));
  if constexpr (kOp == Unary::kHardSigmoid) {
    return clip(hn::Add(hn::Mul(a, x), b), hn::Zero(f), one);
  }
  if constexpr (kOp == Unary::kHardSwish) {
    const VF inner = hn::Add(hn::Mul(hn::Set(f, 1.0f / 6), x), hn::Set(f, 0.5f));
    return hn::Mul(x, clip(inner, hn::Zero(f), one));
  }
}

template <Unary kOp>
void unary_loop(const float* in, float* out, std::size_t n, float a, float b) {
  const F f;
  const VF va = hn::Set(f, a);
  const VF vb = hn::Set(f, b);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    hn::StoreU(apply<kOp>(hn::LoadU(f, in + i), va, vb), f, out + i);
  }
  if (i == n) return;
  float rest[kLanes] = {};
  std::copy(in + i, in + n, rest);
  hn::StoreU(apply<kOp>(hn::LoadU(f, rest), va, vb), f, rest);
  std::copy(rest, rest + (n - i), out + i);
}

void unary_values(Unary op, const float* in, float* out, std::size_t n, float a, float b) {
  switch (op) {
    case Unary::kIdentity: return unary_loop<Unary::kIdentity>(in, out, n, a, b);
    case Unary::kNegate: return unary_loop<Unary::kNegate>(in, out, n, a, b);
    case Unary::kAbs: return unary_loop<Unary::kAbs>(in, out, n, a, b);
    case Unary::kSquare: return unary_loop<Unary::kSquare>(in, out, n, a, b);
    case Unary::kSqrt: return unary_loop<Unary::kSqrt>(in, out, n, a, b);
    case Unary::kReciprocal: return unary_loop<Unary::kReciprocal>(in, out, n, a, b);
    case Unary::kRsqrt: return unary_loop<Unary::kRsqrt>(in, out, n, a, b);
    case Unary::kRelu: return unary_loop<Unary::kRelu>(in, out, n, a, b);
    case Unary::kClip: return unary_loop<Unary::kClip>(in, out, n, a, b);
    case Unary::kLeakyRelu: return unary_loop<Unary::kLeakyRelu>(in, out, n, a, b);
    case Unary::kExp: return unary_loop<Unary::kExp>(in, out, n, a, b);
    case Unary::kSigmoid: return unary_loop<Unary::kSigmoid>(in, out, n, a, b);
    case Unary::kTanh: return unary_loop<Unary::kTanh>(in, out, n, a, b);
    case Unary::kErf: return unary_loop<Unary::kErf>(in, out, n, a, b);
    case Unary::kGelu: return unary_loop<Unary::kGelu>(in, out, n, a, b);
    case Unary::kGeluTanh: return unary_loop<Unary::kGeluTanh>(in, out, n, a, b);
    case Unary::kSilu: return unary_loop<Unary::kSilu>(in, out, n, a, b);
    case Unary::kHardSigmoid: return unary_loop<Unary::kHardSigmoid>(in, out, n, a, b);
    case Unary::kHardSwish: return unary_loop<Unary::kHardSwish>(in, out, n, a, b);
  }
}

template <Binary kOp>
HWY_INLINE VF combine(VF x, VF y) {
  if constexpr (kOp == Binary::kAdd) return hn::Add(x, y);
  if constexpr (kOp == Binary::kSubtract) return hn::Sub(x, y);
  if constexpr (kOp == Binary::kMultiply) return hn::Mul(x, y);
  if constexpr (kOp == Binary::kDivide) return hn::Div(x, y);
  // y where the comparison fails, as it does when y is NaN.
  if constexpr (kOp == Binary::kMinimum) {
    return hn::IfThenElse(hn::Or(hn::Le(x, y), hn::IsNaN(x)), x, y);
  }
  if constexpr (kOp == Binary::kMaximum) {
    return hn::IfThenElse(hn::Or(hn::Ge(x, y), hn::IsNaN(x)), x, y);
  }
}

template <Binary kOp>
void binary_loop(const float* x, std::size_t x_step, const float* y, std::size_t y_step, float* out,
                 std::size_t n) {
  const F f;
  const VF x0 = hn::Set(f, *x);
  const VF y0 = hn::Set(f, *y);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const VF a = x_step == 0 ? x0 : hn::LoadU(f, x + i);
    const VF b = y_step == 0 ? y0 : hn::LoadU(f, y + i);
    hn::StoreU(combine<kOp>(a, b), f, out + i);
  }
  if (i == n) return;
  float rest[2][kLanes] = {};
  for (std::size_t k = 0; k < n - i; ++k) {
    rest[0][k] = x[(i + k) * x_step];
    rest[1][k] = y[(i + k) * y_step];
  }
  hn::StoreU(combine<kOp>(hn::LoadU(f, rest[0]), hn::LoadU(f, rest[1])), f, rest[0]);
  std::copy(rest[0], rest[0] + (n - i), out + i);
}

// One exponent for all is the common case, and a few exponents are the common ones.
void power_values(const float* x, std::size_t x_step, const float* y, std::size_t y_step,
                  float* out, std::size_t n) {
  if (y_step == 0 && x_step == 1) {
    if (*y == 2.0f) return unary_loop<Unary::kSquare>(x, out, n, 0, 0);
    if (*y == 1.0f) return unary_loop<Unary::kIdentity>(x, out, n, 0, 0);
    if (*y == -1.0f) return unary_loop<Unary::kReciprocal>(x, out, n, 0, 0);
  }
  for (std::size_t i = 0; i < n; ++i) out[i] = std::pow(x[i * x_step], y[i * y_step]);
}

void binary_values(Binary op, const float* x, std::size_t x_step, const float* y,
                   std::size_t y_step, float* out, std::size_t n) {
  switch (op) {
    case Binary::kAdd: return binary_loop<Binary::kAdd>(x, x_step, y, y_step, out, n);
    case Binary::kSubtract: return binary_loop<Binary::kSubtract>(x, x_step, y, y_step, out, n);
    case Binary::kMultiply: return binary_loop<Binary::kMultiply>(x, x_step, y, y_step, out, n);
    case Binary::kDivide: return binary_loop<Binary::kDivide>(x, x_step, y, y_step, out, n);
    case Binary::kMinimum: return binary_loop<Binary::kMinimum>(x, x_step, y, y_step, out, n);
    case Binary::kMaximum: return binary_loop<Binary::kMaximum>(x, x_step, y, y_step, out, n);
    case Binary::kPower: return power_values(x, x_step, y, y_step, out, n);
  }
}

HWY_INLINE VF normalized(const Normalization& by, VF x, std::size_t at) {
  const auto parameter = [&](const float* values) {
    return by.step == 0 ? hn::Set(F(), *values) : hn::LoadU(F(), values + at);
  };
  const VF ratio = hn::Div(hn::Sub(x, parameter(by.mean)), parameter(by.deviation));
  return hn::Add(hn::Mul(ratio, parameter(by.scale)), parameter(by.shift));
}

void normalize_values(const Normalization& by, Narrowing how, const float* in, float* out,
                      std::size_t n, Losses& losses) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const VF y = normalized(by, hn::LoadU(F(), in + i), i);
    hn::StoreU(narrow_any(y, how, losses), F(), out + i);
  }
  const auto at = [&](const float* values) { return values[i * by.step]; };
  const std::size_t rest = i;
  for (; i < n; ++i) {
    out[i] = (in[i] - at(by.mean)) / at(by.deviation) * at(by.scale) + at(by.shift);
  }
  losses += kernels::narrow(out + rest, out + rest, n - rest, how);
}

void scale_shift_values(const float* in, float* out, std::size_t n, float scale, float shift) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i] * scale + shift;
}

void lookup(const float* table, const float* in, float* out, std::size_t n) {
  std::size_t i = 0;
#if GODWIT_HAS_F16C
  const F f;
  const hn::Rebind<hwy::float16_t, F> half;
  const hn::RebindToUnsigned<decltype(half)> code;
  const hn::RebindToSigned<F> index;
  for (; i + kLanes <= n; i += kLanes) {
    const auto codes = hn::BitCast(code, hn::DemoteTo(half, hn::LoadU(f, in + i)));
    hn::StoreU(hn::GatherIndex(f, table, hn::PromoteTo(index, codes)), f, out + i);
  }
#endif
  for (; i < n; ++i) out[i] = table[ref::to_half(in[i])];
}

}  // namespace

extern const ElementwiseLoops kElementwiseLoops;
const ElementwiseLoops kElementwiseLoops = {.normalize = normalize_values,
                                            .unary = unary_values,
                                            .binary = binary_values,
                                            .scale_shift = scale_shift_values,
                                            .lookup = lookup};

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace godwit::kernels {

const ElementwiseLoops& elementwise_loops() { return GODWIT_AT_LEVEL(kElementwiseLoops); }

}  // namespace godwit::kernels
#endif
