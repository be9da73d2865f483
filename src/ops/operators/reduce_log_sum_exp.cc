// Logarithms of sums of exponentials along axes, without an overflow.
#include <cmath>
#include <limits>

#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {
namespace {

// sum * exp(top): the largest term is 1, so that no exponential overflows.
struct Shifted {
  double top = -std::numeric_limits<double>::infinity();
  double sum = 0;
};

template <class T>
Shifted add(Shifted state, T value) {
  const auto x = static_cast<double>(value);
  if (x == -std::numeric_limits<double>::infinity()) return state;
  if (x == state.top) return {x, state.sum + 1};  // also of two infinities
  if (x < state.top) return {state.top, state.sum + std::exp(x - state.top)};
  return {x, state.sum * std::exp(state.top - x) + 1};
}

}  // namespace

extern const Operator reduce_log_sum_exp = {
    .name = "ReduceLogSumExp",
    .doc = "log(sum(exp(x))) along the axes; minus infinity of nothing.",
    .inputs = {{.name = "data", .types = wide_numbers(13), .until = 27},
               {.name = "data", .types = kFloats, .since = 28},
               {.name = "axes", .variable = 'A', .types = kInt64, .kind = kOptional, .since = 18}},
    .outputs = {{.name = "reduced", .types = wide_numbers(13), .until = 27},
                {.name = "reduced", .types = kFloats, .since = 28}},
    .attributes = reduced_attributes(),
    .revisions = {11, 13, 18, 28},
    .numerics = Numerics::kReduction,
    .infer = infer_reduced,
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          return reduce<T, Shifted>(call, Shifted(), add<T>,
                                                    [](const Shifted& s, std::size_t) {
                                                      return s.top + std::log(s.sum);
                                                    });
                        }),
    .expand = kLeavesAsIs,
    .flop = flop_per_input<5>,
};

}  // namespace godwit::ops::operators
