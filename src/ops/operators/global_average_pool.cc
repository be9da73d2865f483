// The mean of every channel.
#include <numeric>

#include "ops/pooling.h"

namespace godwit::ops::operators {
namespace {

template <class T>
T mean(std::span<const T> plane) {
  return std::accumulate(plane.begin(), plane.end(), T(0)) / static_cast<T>(plane.size());
}

}  // namespace

extern const Operator global_average_pool = {
    .name = "GlobalAveragePool",
    .doc = "The mean of all elements of each channel.",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .revisions = {22},
    .numerics = Numerics::kReduction,
    .infer = infer_global_pooling,
    .evaluate =
        by_type(Reals(), []<class T>(Call& call) { return pool_globally<T>(call, mean<T>); }),
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
