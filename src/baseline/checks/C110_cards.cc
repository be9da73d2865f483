// Another number of cards, or of batches to an update: the batch behind one update is another one.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  std::vector<std::string> what;
  if (ranks(pair.a) != ranks(pair.b))
    what.push_back(format("ranks: {} / {}", ranks(pair.a), ranks(pair.b)));
  const Difference calls = first_difference(pair, "calls");
  if (calls.step > 0) {
    what.push_back(format("calls: {} / {}", pair.a.steps[calls.step - 1]["calls"].integer(),
                          pair.b.steps[calls.step - 1]["calls"].integer()));
  }
  if (what.empty()) return Verdict::kSame;
  findings.push_back(
      finding("C110", diag::Severity::kWarning, pair, calls.step, {{"found", join(what, "; ")}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check cards = {.code = "C110", .run = run};

}  // namespace godwit::baseline::checks
