// The largest element of every channel.
#include "ops/pooling.h"

namespace godwit::ops::operators {
namespace {

template <class T>
T largest(std::span<const T> plane) {
  T top = plane.front();
  for (const T x : plane) top = x > top || x != x ? x : top;  // NaN wins, as in a comparison of all
  return top;
}

}  // namespace

extern const Operator global_max_pool = {
    .name = "GlobalMaxPool",
    .doc = "The largest of all elements of each channel.",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .revisions = {22},
    .infer = infer_global_pooling,
    .evaluate =
        by_type(Reals(), []<class T>(Call& call) { return pool_globally<T>(call, largest<T>); }),
};

}  // namespace godwit::ops::operators
