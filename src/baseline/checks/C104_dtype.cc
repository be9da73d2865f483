// Parameters, inputs or autocast of another type. Often on purpose (bf16 on a GPU, fp16 on a 310P),
// so a warning: the curves may differ by rounding.
#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

Verdict run(const Pair& pair, Findings& findings) {
  const Json& a = pair.a.model["dtypes"];
  const Json& b = pair.b.model["dtypes"];
  if (a.is_null() || b.is_null()) return Verdict::kUnknown;
  std::vector<std::string> what;
  if (!(a == b)) what.push_back(format("parameters: {} / {}", a.dump(), b.dump()));
  for (const std::string_view key : {"autocast", "default_dtype"}) {
    const Json& left = pair.a.precision[key];
    const Json& right = pair.b.precision[key];
    if (!(left == right)) what.push_back(format("{}: {} / {}", key, left.dump(), right.dump()));
  }
  const Difference inputs = first_difference(pair, "dtypes");
  if (inputs.step > 0) {
    what.push_back(format("inputs: {} / {}", pair.a.steps[inputs.step - 1]["dtypes"].dump(),
                          pair.b.steps[inputs.step - 1]["dtypes"].dump()));
  }
  if (what.empty()) return Verdict::kSame;
  findings.push_back(
      finding("C104", diag::Severity::kWarning, pair, inputs.step, {{"found", join(what, "; ")}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check dtype = {.code = "C104", .run = run};

}  // namespace godwit::baseline::checks
