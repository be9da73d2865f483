// The batches differ in their bytes. With the same order of examples it is the preparation that
// differs: random augmentation, another decoder, another normalisation.
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  const Difference data = first_difference(pair, "data");
  if (!data.is_known) return Verdict::kUnknown;
  if (data.step == 0) return Verdict::kSame;
  const Difference order = first_difference(pair, "order");
  if (order.step != 0 && order.step <= data.step) return Verdict::kDiffers;  // said by C101
  diag::Finding found = finding("C102", diag::Severity::kError, pair, data.step, {});
  if (order.is_known) found.variant = "same_order";
  findings.push_back(std::move(found));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check data = {.code = "C102", .run = run};

}  // namespace godwit::baseline::checks
