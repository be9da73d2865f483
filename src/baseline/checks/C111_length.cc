// One run is shorter, or ended early: only the steps that both have can be compared.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  const bool is_short = pair.a.steps.size() != pair.b.steps.size();
  if (!is_short && pair.a.is_finished && pair.b.is_finished && pair.steps > 0)
    return Verdict::kSame;
  diag::Finding found =
      finding("C111", pair.steps == 0 ? diag::Severity::kError : diag::Severity::kWarning, pair, 0,
              {{"steps_a", std::to_string(pair.a.steps.size())},
               {"steps_b", std::to_string(pair.b.steps.size())},
               {"common", std::to_string(pair.steps)}});
  if (!is_short && pair.steps > 0) found.variant = "ended_early";
  findings.push_back(std::move(found));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check length = {.code = "C111", .run = run};

}  // namespace godwit::baseline::checks
