// The first loss is the test of all that comes before it: same weights, same batch, same code.
// Later ones drift apart by rounding.
#include <cmath>

#include "base/text.h"
#include "baseline/check.h"

namespace godwit::baseline::checks {
namespace {

constexpr double kMost = 0.01;  // of the first loss; fp16 against fp32 stays well below it

Verdict run(const Pair& pair, Findings& findings) {
  if (pair.steps == 0) return Verdict::kUnknown;
  const Json& a = pair.a.steps[0]["loss"];
  const Json& b = pair.b.steps[0]["loss"];
  if (a.is_null() || b.is_null()) return Verdict::kUnknown;
  const double off = std::abs(a.number(0) - b.number(0));
  const bool is_number = a.is_number() && b.is_number();
  if (is_number && off <= kMost * std::abs(a.number())) return Verdict::kSame;
  if (!is_number && a == b) return Verdict::kSame;
  findings.push_back(finding("C113", diag::Severity::kWarning, pair, 1,
                             {{"found_a", shown(a)}, {"found_b", shown(b)}}));
  return Verdict::kDiffers;
}

}  // namespace

extern const Check loss = {.code = "C113", .run = run};

}  // namespace godwit::baseline::checks
