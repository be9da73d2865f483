// The models start from other weights, so the losses differ from the first step on.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  const Json& a = pair.a.model["weights"];
  const Json& b = pair.b.model["weights"];
  if (a.is_null() || b.is_null()) return Verdict::kUnknown;
  if (a == b) return Verdict::kSame;
  const bool is_same_model = pair.a.model["structure"] == pair.b.model["structure"];
  if (!is_same_model) return Verdict::kDiffers;  // said by C109
  const bool is_same_type = pair.a.model["dtypes"] == pair.b.model["dtypes"];
  if (!is_same_type) return Verdict::kUnknown;  // the same numbers have other bytes
  findings.push_back(finding("C106", diag::Severity::kError, pair, 0,
                             {{"found_a", shown(a)}, {"found_b", shown(b)}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check weights = {.code = "C106", .run = run};

}  // namespace godwit::baseline::checks
