// The mean of the elements under a window.
#include "ops/pooling.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  const bool with_padding = call.flag("count_include_pad");
  return pool<T>(call, [&](std::span<const T> plane, const Under& under) {
    T sum = 0;
    for (const std::size_t i : under.elements) sum += plane[i];
    return sum / (with_padding ? static_cast<T>(under.with_padding)
                               : static_cast<T>(under.elements.size()));
  });
}

}  // namespace

extern const Operator average_pool = {
    .name = "AveragePool",
    .doc = "The mean of the elements under each position of a window.",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{"auto_pad", "NOTSET"},
                   {.name = "ceil_mode", .fallback = 0, .since = 10},
                   {.name = "count_include_pad", .fallback = 0, .since = 7},
                   {.name = "dilations", .since = 19},
                   {"kernel_shape", kMustBeThere},
                   {"pads"},
                   {"strides"}},
    .revisions = {11, 22},
    .numerics = Numerics::kReduction,
    .infer = infer_pooling,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
