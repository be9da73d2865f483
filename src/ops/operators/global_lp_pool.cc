// The p-norm of every channel.
#include "ops/norm.h"
#include "ops/pooling.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const T p, read_norm_order<T>(call));
  return pool_globally<T>(call, [p](std::span<const T> plane) {
    return norm(p, plane.size(), [&](std::size_t i) { return plane[i]; });
  });
}

}  // namespace

extern const Operator global_lp_pool = {
    .name = "GlobalLpPool",
    .doc = "The p-norm of all elements of each channel.",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{.name = "p", .fallback = 2.0F, .until = 1},
                   {.name = "p", .fallback = 2, .since = 2}},
    .revisions = {22},
    .numerics = Numerics::kReduction,
    .infer = infer_global_pooling,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .flop = flop_per_input<2>,
};

}  // namespace godwit::ops::operators
