// Products in a prescribed order, with one output in each lane: lanes do what the reference does.
#include "kernels/ordered.h"

#include <algorithm>
#include <mutex>

#include "base/parallel.h"
#include "kernels/gemm_loops.h"
#include "kernels/ordered_loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ordered.cc"
#include "kernels/simd/foreach.h"
// The instruction set is chosen above.
#include <hwy/highway.h>

#include "kernels/simd/finish_inl.h"
#include "kernels/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t kRows = kOrderedRows;
using Panels = OrderedPanels;

template <std::size_t kN>
HWY_INLINE VF tree(const float* a, const float* b, std::size_t width) {
  if constexpr (kN == 1) {
    return hn::Mul(hn::Set(F(), *a), hn::LoadU(F(), b));
  } else {
    constexpr std::size_t kHalf = kN / 2;
    return hn::Add(tree<kHalf>(a, b, width),
                   tree<kHalf>(a + kHalf * kRows, b + kHalf * width, width));
  }
}

// Zeros that fill a panel up make NaN beside an infinity, and that is no loss.
HWY_INLINE hn::Mask<F> lanes_that_count(const Panels& p, std::size_t column, std::size_t row) {
  const bool some = row < p.rows && column < p.columns;
  return hn::FirstN(F(), some ? std::min(kLanes, p.columns - column) : 0);
}

template <std::size_t kStep>
void sum_in_steps(const Panels& p, std::size_t column, Narrowing accumulator, float* out,
                  Losses& losses) {
  VF sum[kRows];
  hn::Mask<F> counts[kRows];
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kRows; ++r) {
    sum[r] = hn::Zero(F());
    counts[r] = lanes_that_count(p, column, r);
  }
  const float* b = p.b + column;
  for (std::size_t k = 0; k < p.depth; k += kStep, b += kStep * p.width) {
    GODWIT_UNROLL
    for (std::size_t r = 0; r < kRows; ++r) {
      sum[r] = hn::Add(sum[r], tree<kStep>(p.a + k * kRows + r, b, p.width));
      if (accumulator == Narrowing{}) continue;
      sum[r] = narrow_any(hn::IfThenElseZero(counts[r], sum[r]), accumulator, losses);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) hn::StoreU(sum[r], F(), out + r * p.width + column);
}

void sum_in_double(const Panels& p, std::size_t column, Narrowing accumulator, float* out,
                   Losses& losses) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow_tag;
  for (std::size_t part = 0; part < kLanes; part += hn::MaxLanes(wide)) {
    hn::Vec<decltype(wide)> sum[kRows];
    GODWIT_UNROLL
    for (std::size_t r = 0; r < kRows; ++r) sum[r] = hn::Zero(wide);
    const float* b = p.b + column + part;
    for (std::size_t k = 0; k < p.depth; ++k, b += p.width) {
      const auto row = hn::PromoteTo(wide, hn::LoadU(narrow_tag, b));
      GODWIT_UNROLL
      for (std::size_t r = 0; r < kRows; ++r) {
        // The product of two floats is exact in double, so that fusing changes nothing.
        sum[r] = hn::MulAdd(hn::Set(wide, double{p.a[k * kRows + r]}), row, sum[r]);
      }
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      hn::StoreU(hn::DemoteTo(narrow_tag, sum[r]), narrow_tag, out + r * p.width + column + part);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    float* const row = out + r * p.width + column;
    const auto counts = lanes_that_count(p, column, r);
    const VF value = hn::IfThenElseZero(counts, hn::LoadU(F(), row));
    hn::StoreU(narrow_any(value, accumulator, losses), F(), row);
  }
}

// The products of a panel of A and one of B: out[kRows][width].
void multiply_panels(const Panels& panels, Summation how, float* out, Losses& losses) {
  for (std::size_t column = 0; column < panels.width; column += kLanes) {
    switch (how.order) {
      case Order::kSequential: sum_in_steps<1>(panels, column, how.accumulator, out, losses); break;
      case Order::kCube16:
        sum_in_steps<kFractal>(panels, column, how.accumulator, out, losses);
        break;
      case Order::kExact: sum_in_double(panels, column, how.accumulator, out, losses); break;
    }
  }
}

}  // namespace

struct OrderedLoops {
  void (*multiply)(const Panels&, Summation, float*, Losses&);
};
extern const OrderedLoops kOrderedLoops;
const OrderedLoops kOrderedLoops = {multiply_panels};

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace godwit::kernels {
namespace {

std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Whole panels along K, for all rows of A or all columns of B.
class PaddedPanels {
 public:
  PaddedPanels(const float* source, std::size_t stride, std::size_t depth_stride,
               std::size_t length, std::size_t k, std::size_t width)
      : step_(round_up(k, kFractal) * width), panels_(round_up(length, width) / width * step_) {
    const GemmLoops& loops = gemm_loops();
    parallel_for(round_up(length, width) / width, [&](std::size_t index, std::size_t) {
      float* const panel = panels_.data() + index * step_;
      const std::size_t first = index * width;
      loops.pack(source + first * stride, stride, depth_stride, std::min(width, length - first), k,
                 panel, width);
      std::fill(panel + k * width, panel + step_, 0.0f);
    });
  }

  const float* panel(std::size_t index) const { return panels_.data() + index * step_; }

 private:
  std::size_t step_;
  Buffer panels_;
};

// The tile's sums into C, and its epilogue.
void store(const Gemm& call, const float* sums, std::size_t width, std::size_t row,
           std::size_t column, Losses& losses) {
  const Tile tile{.c = call.c + row * call.c_stride + column,
                  .c_stride = call.c_stride,
                  .rows = std::min(kOrderedRows, call.m - row),
                  .columns = std::min(width, call.n - column)};
  for (std::size_t r = 0; r < tile.rows; ++r) {
    float* const c = tile.c + r * tile.c_stride;
    for (std::size_t i = 0; i < tile.columns; ++i) {
      float x = sums[r * width + i];
      if (call.alpha != 1) x = call.alpha * x;
      c[i] = call.beta != 0 ? call.beta * c[i] + x : x;
    }
  }
  if (!call.epilogue.is_empty()) {
    gemm_loops().finish(tile, call.epilogue, row, column, losses);
  }
}

void ordered_one(const Gemm& call, Summation how, Losses& losses) {
  if (call.m == 0 || call.n == 0) return;
  const std::size_t width = gemm_loops().panel_columns;
  const PaddedPanels a(call.a.data, call.a.row_stride, call.a.column_stride, call.m, call.k,
                       kOrderedRows);
  const PaddedPanels b(call.b.data, call.b.column_stride, call.b.row_stride, call.n, call.k, width);
  // Beyond the last product a sequential sum would only add zeros, each a rounding to be counted.
  const std::size_t depth = how.order == Order::kCube16 ? round_up(call.k, kFractal) : call.k;
  std::mutex mutex;
  parallel_for(round_up(call.n, width) / width, [&](std::size_t q, std::size_t) {
    Losses own;
    const Buffer sums(kOrderedRows * width);
    for (std::size_t row = 0; row < call.m; row += kOrderedRows) {
      const OrderedPanels panels{.a = a.panel(row / kOrderedRows),
                                 .b = b.panel(q),
                                 .depth = depth,
                                 .width = width,
                                 .rows = std::min(kOrderedRows, call.m - row),
                                 .columns = std::min(width, call.n - q * width)};
      GODWIT_AT_LEVEL(kOrderedLoops.multiply)(panels, how, sums.data(), own);
      store(call, sums.data(), width, row, q * width, own);
    }
    const std::lock_guard lock(mutex);
    losses += own;
  });
}

}  // namespace

void ordered_gemm(const Gemm& call, Summation how) {
  Losses losses;
  for (std::size_t item = 0; item < call.batch; ++item) {
    Gemm single = call;
    single.a.data += item * call.a_step;
    single.b.data += item * call.b_step;
    single.c += item * call.c_step;
    if (call.epilogue.residual != nullptr) single.epilogue.residual += item * call.c_step;
    ordered_one(single, how, losses);
  }
  if (call.epilogue.losses != nullptr) *call.epilogue.losses += losses;
}

}  // namespace godwit::kernels
#endif
