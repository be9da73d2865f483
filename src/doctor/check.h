// Checks: one file per code, each a pure function from the picture of an environment to findings.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "diag/finding.h"
#include "doctor/environment.h"
#include "doctor/knowledge.h"
#include "doctor/pin.h"
#include "doctor/solve.h"
#include "facts/soc.h"

namespace godwit::doctor {

/// All that a check may look at.
struct Context {
  const Environment& environment;
  const Knowledge& knowledge;
  const facts::Soc* asked = nullptr;  // the chip of --to
  const facts::Soc* found = nullptr;  // the chip of the first NPU of this machine
  const std::vector<Pin>& pins;
  const std::vector<Pin>& requirements;  // the team's own lines
  const Plan& plan;

  const facts::Soc* soc() const { return asked ? asked : found; }
  /// False where it is known that there is no NPU.
  bool has_npu() const { return !environment.npus.empty(); }
};

/// kUnknown: a fact that decides is missing; counted, never silently fine.
enum class Verdict : std::uint8_t { kJudged, kUnknown, kNotApplicable };

using Findings = std::vector<diag::Finding>;

struct Check {
  std::string_view code;
  Verdict (*run)(const Context&, Findings&);
};

/// A finding at the file or command that told the value.
diag::Finding finding(std::string_view code, diag::Severity severity, std::string_view source,
                      Args args);

extern const std::span<const Check* const> kChecks;

}  // namespace godwit::doctor
