// The gate that migrations are asked for: cosine above 0.99 and no element off by 0.001 or more. It
// is also the published rule of msprobe, and blind to small tensors and to scale.
#include "compare/gate.h"

namespace godwit::compare::gates {
namespace {

constexpr double kLeastCosine = 0.99, kMostAbs = 1e-3;

bool passes(const Pair&, const Layer& layer) {
  return layer.figure("cosine") > kLeastCosine && layer.figure("max_abs") < kMostAbs &&
         layer.figure("non_finite") == 0;
}

}  // namespace

extern const Gate requested = {.name = "requested", .code = "C020", .passes = passes};

}  // namespace godwit::compare::gates
