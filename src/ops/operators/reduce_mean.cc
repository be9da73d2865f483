// Means along axes.
#include <limits>

#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {
namespace {

template <class T>
T mean(double sum, std::size_t count) {
  if (count == 0) return std::numeric_limits<T>::quiet_NaN();  // 0 where there is no NaN
  return static_cast<T>(sum / static_cast<double>(count));
}

}  // namespace

extern const Operator reduce_mean = {
    .name = "ReduceMean",
    .doc = "The mean along the axes; of whole numbers cut toward zero.",
    .inputs = reduced_inputs(wide_numbers(13)),
    .outputs = {{"reduced", 'T', wide_numbers(13)}},
    .attributes = reduced_attributes(),
    .revisions = {11, 13, 18},
    .numerics = Numerics::kReduction,
    .infer = infer_reduced,
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          return reduce<T, double>(
                              call, 0, [](double sum, T x) { return sum + static_cast<double>(x); },
                              mean<T>);
                        }),
    .expand = kLeavesAsIs,
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
