// A Python package that CANN or torch needs in a certain range has another version.
#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

// onnx, Python and the build tools have checks of their own.
bool is_mine(const Requirement& row) {
  return row.component != "onnx" && row.component != "python" && row.component != "gcc" &&
         row.component != "cmake";
}

Verdict run(const Context& context, Findings& findings) {
  bool is_judged = false;
  for (const Requirement& row : context.knowledge.requirements) {
    const Package* const package = context.environment.package(row.component);
    if (!is_mine(row) || !package || !row.applies(context.environment)) continue;
    const auto version = Version::parse(package->version);
    is_judged = is_judged || version;
    if (!version || row.range.contains(*version)) continue;
    const Found subject = component(context.environment, row.subject);
    diag::Finding found = finding("D009", row.severity, package->source,
                                  {{"component", row.component},
                                   {"found", package->version},
                                   {"subject", format("{} {}", row.subject, subject.value)},
                                   {"range", row.range.text()}});
    found.variant = row.component;
    found.properties = Json::object();
    found.properties.set("basis", row.at);
    findings.push_back(std::move(found));
  }
  return is_judged ? Verdict::kJudged : Verdict::kUnknown;
}

}  // namespace

extern const Check package_range = {.code = "D009", .run = run};

}  // namespace godwit::doctor::checks
