// A value is larger than the stored type can hold: it saturates where the chip saturates, and
// becomes Inf elsewhere.
#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

double likelihood(const Pair&, const Layer& layer) {
  if (layer.overflows > 0) return 1;
  return layer.figure("saturated") > 0 ? 0.95 : 0;
}

}  // namespace

extern const Cause overflow = {.code = "C001", .likelihood = likelihood};

}  // namespace godwit::compare::causes
