// Values below the smallest normal number of the stored type: they lose bits, or become zero.
#include <cmath>

#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

constexpr double kShare = 0.01;

double likelihood(const Pair& pair, const Layer& layer) {
  if (pair.stored != ir::ElementType::kFloat16 || pair.found.empty()) return 0;
  std::size_t small = 0, lost = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const double size = std::fabs(pair.reference[i]);
    small += size > 0 && size < 0x1p-14;
    lost += size > 0 && pair.found[i] == 0;
  }
  const auto count = static_cast<double>(pair.found.size());
  if (static_cast<double>(lost) > kShare * count) return 0.85;
  const bool matters = layer.figure("relative_rmse") > 2 * unit_roundoff(pair.stored);
  return matters && static_cast<double>(small) > 0.5 * count ? 0.75 : 0;
}

}  // namespace

extern const Cause underflow = {.code = "C005", .likelihood = likelihood};

}  // namespace godwit::compare::causes
