// The reference is Inf or NaN, and a chip that saturates hides it behind a finite number.
#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

double likelihood(const Pair&, const Layer& layer) {
  if (layer.nans > 0) return 0.99;
  return layer.figure("non_finite") > 0 ? 0.96 : 0;
}

}  // namespace

extern const Cause hidden_non_finite = {.code = "C008", .likelihood = likelihood};

}  // namespace godwit::compare::causes
