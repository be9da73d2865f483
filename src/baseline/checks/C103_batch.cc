// Batches of another size or shape: gradients are means over other numbers of examples.
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  const Difference shapes = first_difference(pair, "shapes");
  if (!shapes.is_known) return Verdict::kUnknown;
  if (shapes.step == 0) return Verdict::kSame;
  const std::size_t at = shapes.step - 1;
  findings.push_back(finding("C103", diag::Severity::kError, pair, shapes.step,
                             {{"found_a", pair.a.steps[at]["shapes"].dump()},
                              {"found_b", pair.b.steps[at]["shapes"].dump()}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check batch = {.code = "C103", .run = run};

}  // namespace godwit::baseline::checks
