// The sampler chose other examples, or in another order: the curves say nothing about each other.
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  const Difference order = first_difference(pair, "order");
  if (!order.is_known) return Verdict::kUnknown;
  if (order.step == 0) return Verdict::kSame;
  findings.push_back(finding("C101", diag::Severity::kError, pair, order.step, {}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check data_order = {.code = "C101", .run = run};

}  // namespace godwit::baseline::checks
