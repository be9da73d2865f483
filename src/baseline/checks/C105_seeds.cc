// Random generators in another state when the model was first called: dropout and sampling draw
// other numbers.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  if (pair.a.seeds.is_null() || pair.b.seeds.is_null()) return Verdict::kUnknown;
  const std::vector<std::string> what = differing(pair.a.seeds, pair.b.seeds);
  if (what.empty()) return Verdict::kSame;
  findings.push_back(
      finding("C105", diag::Severity::kWarning, pair, 0, {{"found", join(what, "; ")}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check seeds = {.code = "C105", .run = run};

}  // namespace godwit::baseline::checks
