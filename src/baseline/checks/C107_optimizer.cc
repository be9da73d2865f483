// Another optimizer, other settings, or another learning rate at some step.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

std::vector<std::string> differing_optimizers(const Pair& pair) {
  std::vector<std::string> what;
  const std::size_t count = std::min(pair.a.optimizers.size(), pair.b.optimizers.size());
  if (pair.a.optimizers.size() != pair.b.optimizers.size()) {
    what.push_back(
        format("optimizers: {} / {}", pair.a.optimizers.size(), pair.b.optimizers.size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Json& a = pair.a.optimizers[i];
    const Json& b = pair.b.optimizers[i];
    if (!(a["class"] == b["class"]))
      what.push_back(format("{} / {}", shown(a["class"]), shown(b["class"])));
    for (std::string& one : differing(a["settings"], b["settings"])) what.push_back(std::move(one));
  }
  return what;
}

Verdict run(const Pair& pair, Findings& findings) {
  if (pair.a.optimizers.empty() || pair.b.optimizers.empty()) return Verdict::kUnknown;
  std::vector<std::string> what = differing_optimizers(pair);
  const Difference rate = first_difference(pair, "lr");
  if (rate.step > 0) {
    what.push_back(format("lr: {} / {}", pair.a.steps[rate.step - 1]["lr"].dump(),
                          pair.b.steps[rate.step - 1]["lr"].dump()));
  }
  if (what.empty()) return Verdict::kSame;
  findings.push_back(
      finding("C107", diag::Severity::kError, pair, rate.step, {{"found", join(what, "; ")}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check optimizer = {.code = "C107", .run = run};

}  // namespace godwit::baseline::checks
