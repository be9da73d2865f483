// Loops over one row. Sums keep 64 chains in as many vectors as they fill, so that every
// instruction set adds the same numbers in the same order.
#include "kernels/row_loops.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_loops.cc"
#include "kernels/simd/foreach.h"
// The instruction set is chosen above.
#include <hwy/highway.h>

#include "kernels/simd/math_inl.h"
#include "kernels/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t kVectors = kChains / kLanes;

// A binary tree over the chains: whole vectors first, then the lanes of one.
HWY_INLINE float fold_chains(const float (&chains)[kChains]) {
  const F f;
  VF sum[kVectors];
  GODWIT_UNROLL
  for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::LoadU(f, chains + v * kLanes);
  GODWIT_UNROLL
  for (std::size_t half = kVectors / 2; half > 0; half /= 2) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < half; ++v) sum[v] = hn::Add(sum[v], sum[v + half]);
  }
  float lanes[kLanes];
  hn::StoreU(sum[0], f, lanes);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

// The sum of term(i, vector) over a row; term(i, vector of x at i). The last, partial round adds
// the terms of its elements alone.
template <class Term>
HWY_INLINE float sum_terms(const float* x, std::size_t n, const Term& term) {
  const F f;
  VF sum[kVectors];
  GODWIT_UNROLL
  for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::Zero(f);
  std::size_t i = 0;
  for (; i + kChains <= n; i += kChains) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t at = i + v * kLanes;
      sum[v] = hn::Add(sum[v], term.whole(at, hn::LoadU(f, x + at)));
    }
  }
  float chains[kChains];
  GODWIT_UNROLL
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[v], f, chains + v * kLanes);
  for (std::size_t k = 0; i < n; k += kLanes, i += kLanes) {
    float rest[kLanes] = {};
    const std::size_t some = std::min(kLanes, n - i);
    std::copy(x + i, x + i + some, rest);
    hn::StoreU(term.part(i, hn::LoadU(f, rest), some), f, rest);
    for (std::size_t j = 0; j < some; ++j) chains[k + j] += rest[j];
  }
  return fold_chains(chains);
}

struct Itself {
  HWY_INLINE VF whole(std::size_t, VF x) const { return x; }
  HWY_INLINE VF part(std::size_t, VF x, std::size_t) const { return x; }
};

struct SquareOfDistance {
  VF mean;
  HWY_INLINE VF whole(std::size_t, VF x) const {
    const VF distance = hn::Sub(x, mean);
    return hn::Mul(distance, distance);
  }
  HWY_INLINE VF part(std::size_t i, VF x, std::size_t) const { return whole(i, x); }
};

// Stores what it adds.
struct ExpOfDistance {
  VF top;
  float* out;
  HWY_INLINE VF whole(std::size_t i, VF x) const {
    const VF y = exp(hn::Sub(x, top));
    hn::StoreU(y, F(), out + i);
    return y;
  }
  HWY_INLINE VF part(std::size_t i, VF x, std::size_t n) const {
    const VF y = exp(hn::Sub(x, top));
    float lanes[kLanes];
    hn::StoreU(y, F(), lanes);
    std::copy(lanes, lanes + n, out + i);
    return y;
  }
};

float sum(const float* x, std::size_t n) { return sum_terms(x, n, Itself()); }

float square_sum(const float* x, std::size_t n, float mean) {
  return sum_terms(x, n, SquareOfDistance{hn::Set(F(), mean)});
}

float exp_sum(const float* x, float top, float* y, std::size_t n) {
  return sum_terms(x, n, ExpOfDistance{hn::Set(F(), top), y});
}

template <bool kMaximum>
HWY_INLINE VF extreme_of(VF x, VF y) {
  // y where the comparison fails, as it does when y is NaN.
  const auto wins = kMaximum ? hn::Gt(x, y) : hn::Lt(x, y);
  return hn::IfThenElse(hn::Or(wins, hn::IsNaN(x)), x, y);
}

template <bool kMaximum>
float extreme(const float* x, std::size_t n) {
  const F f;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNone = kMaximum ? -kInfinity : kInfinity;
  VF best[2] = {hn::Set(f, kNone), hn::Set(f, kNone)};
  std::size_t i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    best[0] = extreme_of<kMaximum>(hn::LoadU(f, x + i), best[0]);
    best[1] = extreme_of<kMaximum>(hn::LoadU(f, x + i + kLanes), best[1]);
  }
  VF both = extreme_of<kMaximum>(best[0], best[1]);
  for (; i + kLanes <= n; i += kLanes) both = extreme_of<kMaximum>(hn::LoadU(f, x + i), both);
  if (i < n) {
    float rest[kLanes];
    std::fill(rest, rest + kLanes, kNone);
    std::copy(x + i, x + n, rest);
    both = extreme_of<kMaximum>(hn::LoadU(f, rest), both);
  }
  if (!hn::AllFalse(f, hn::IsNaN(both))) return std::numeric_limits<float>::quiet_NaN();
  return hn::GetLane(kMaximum ? hn::MaxOfLanes(f, both) : hn::MinOfLanes(f, both));
}

void divide(float* x, float by, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] /= by;
}

HWY_INLINE void normalize_plain(const float* x, float mean, float deviation, float* y,
                                std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = (x[i] - mean) / deviation;
}

void normalize(const float* x, float mean, float deviation, const Norm& norm, float* y,
               std::size_t n) {
  normalize_plain(x, mean, deviation, y, n);
  if (norm.scale != nullptr) {
    for (std::size_t i = 0; i < n; ++i) y[i] *= norm.scale[i];
  }
  if (norm.shift != nullptr) {
    for (std::size_t i = 0; i < n; ++i) y[i] += norm.shift[i];
  }
}

template <Reduction kReduction>
HWY_INLINE float folded(float x, float into) {
  if constexpr (kReduction == Reduction::kSquareSum) return into + x * x;
  if constexpr (kReduction == Reduction::kMaximum) return x > into || x != x ? x : into;
  if constexpr (kReduction == Reduction::kMinimum) return x < into || x != x ? x : into;
  return into + x;
}

// The usual steps as constants, so that the compiler makes vectors of them.
template <Reduction kReduction>
void fold_loop(const float* HWY_RESTRICT x, std::size_t step, float* HWY_RESTRICT into,
               std::size_t n) {
  if (step == 1) {
    for (std::size_t i = 0; i < n; ++i) into[i] = folded<kReduction>(x[i], into[i]);
  } else if (step == 2) {
    for (std::size_t i = 0; i < n; ++i) into[i] = folded<kReduction>(x[2 * i], into[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i) into[i] = folded<kReduction>(x[step * i], into[i]);
  }
}

void fold_strided(Reduction reduction, const float* x, std::size_t step, float* into,
                  std::size_t n) {
  switch (reduction) {
    case Reduction::kSum:
    case Reduction::kMean: return fold_loop<Reduction::kSum>(x, step, into, n);
    case Reduction::kSquareSum: return fold_loop<Reduction::kSquareSum>(x, step, into, n);
    case Reduction::kMaximum: return fold_loop<Reduction::kMaximum>(x, step, into, n);
    case Reduction::kMinimum: return fold_loop<Reduction::kMinimum>(x, step, into, n);
  }
}

void fold(Reduction reduction, const float* x, float* into, std::size_t n) {
  fold_strided(reduction, x, 1, into, n);
}

}  // namespace

extern const RowLoops kRowLoops;
const RowLoops kRowLoops = {.maximum = extreme<true>,
                            .minimum = extreme<false>,
                            .sum = sum,
                            .square_sum = square_sum,
                            .exp_sum = exp_sum,
                            .divide = divide,
                            .normalize = normalize,
                            .fold = fold,
                            .fold_strided = fold_strided};

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace godwit::kernels {

const RowLoops& row_loops() { return GODWIT_AT_LEVEL(kRowLoops); }

}  // namespace godwit::kernels
#endif
