// Numbers that the narrower type has no place for: whole numbers beyond its exact range, such as
// token ids, positions and sizes, or the result of a Cast.
#include <algorithm>
#include <cmath>

#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

double likelihood(const Pair& pair, const Layer& layer) {
  const double unit = unit_roundoff(pair.stored);
  const auto is_whole = [](double value) { return std::nearbyint(value) == value; };
  const bool all_whole = std::all_of(pair.reference.begin(), pair.reference.end(), is_whole);
  const bool any_large = std::any_of(pair.reference.begin(), pair.reference.end(),
                                     [&](double v) { return std::fabs(v) * unit > 1; });
  if (unit > 0 && all_whole && any_large && layer.figure("max_abs") >= 1) return 0.9;
  return layer.numerics == ops::Numerics::kCast || layer.numerics == ops::Numerics::kQuantize ? 0.7
                                                                                              : 0;
}

}  // namespace

extern const Cause cast = {.code = "C004", .likelihood = likelihood};

}  // namespace godwit::compare::causes
