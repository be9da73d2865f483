// Parameters of other names or shapes: these are two models.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  const Json& a = pair.a.model;
  const Json& b = pair.b.model;
  if (a.is_null() || b.is_null()) return Verdict::kUnknown;
  if (a["structure"] == b["structure"]) return Verdict::kSame;
  const auto told = [](const Json& model) {
    return format("{}, {}", shown(model["class"]), model["parameters"].integer());
  };
  findings.push_back(finding("C109", diag::Severity::kError, pair, 0,
                             {{"found_a", told(a)}, {"found_b", told(b)}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check model = {.code = "C109", .run = run};

}  // namespace godwit::baseline::checks
