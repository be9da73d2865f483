// No releases satisfy what is installed and what the project asks for: the smallest set that
// contradicts.
#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

std::string value_of(const facts::VersionRow& row, std::string_view component) {
  if (component == "torch") return row.torch;
  if (component == "torch_npu") return row.torch_npu;
  return component == "cann" ? row.cann : std::string();
}

// The releases around a pin that none satisfies: torch 2.1.0 and 2.2.0 for ==2.1.2.
std::string neighbours(const Knowledge& knowledge, const Constraint& constraint) {
  const auto pin = constraint.range.pinned();
  std::optional<Version> below, above;
  for (const facts::VersionRow& row : knowledge.pairs) {
    const auto version = Version::parse(value_of(row, constraint.component));
    if (!version || !pin) continue;
    if (*version < *pin && (!below || *below < *version)) below = version;
    if (*version > *pin && (!above || *version < *above)) above = version;
  }
  if (below && above) return format("{}, {}", below->text(), above->text());
  return below ? below->text() : above ? above->text() : std::string();
}

Verdict run(const Context& context, Findings& findings) {
  if (context.plan.conflict.empty()) return Verdict::kJudged;
  diag::Finding found = finding("D021", diag::Severity::kError, "", {});
  std::string all, given_up;
  for (const Constraint& constraint : context.plan.conflict) {
    all += (all.empty() ? "" : "; ") + constraint.text();
    if (found.place.file.empty()) found.place = constraint.place;
  }
  for (const Constraint& constraint : context.plan.given_up) {
    given_up += (given_up.empty() ? "" : "; ") + constraint.text();
  }
  if (found.place.file.empty()) found.place.file = context.plan.conflict.front().source;
  found.args = {{"conflict", all}, {"given_up", given_up}};
  found.variant = context.plan.conflict.size() == 1 ? "single" : "";
  const std::string near = neighbours(context.knowledge, context.plan.conflict.front());
  if (found.variant == "single" && !near.empty()) {
    found.variant = "pin";
    found.args.emplace_back("component", context.plan.conflict.front().component);
    found.args.emplace_back("nearest", near);
  }
  findings.push_back(std::move(found));
  return Verdict::kJudged;
}

}  // namespace

extern const Check conflict = {.code = "D021", .run = run};

}  // namespace godwit::doctor::checks
