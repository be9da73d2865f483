// The p-norm of the elements under a window.
#include "ops/norm.h"
#include "ops/pooling.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const T p, read_norm_order<T>(call));
  return pool<T>(call, [p](std::span<const T> plane, const Under& under) {
    return norm(p, under.elements.size(), [&](std::size_t i) { return plane[under.elements[i]]; });
  });
}

}  // namespace

extern const Operator lp_pool = {
    .name = "LpPool",
    .doc = "The p-norm of the elements under each position of a window.",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{"auto_pad", "NOTSET"},
                   {.name = "ceil_mode", .fallback = 0, .since = 18},
                   {.name = "dilations", .since = 18},
                   {.name = "kernel_shape", .until = 1},
                   {.name = "kernel_shape", .fallback = kMustBeThere, .since = 2},
                   {.name = "p", .fallback = 2.0F, .until = 1},
                   {.name = "p", .fallback = 2, .since = 2},
                   {"pads"},
                   {"strides"}},
    .revisions = {11, 22},
    .numerics = Numerics::kReduction,
    .infer = infer_pooling,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
