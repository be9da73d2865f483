// Reads, checks, solves; how the result is told stands in view.cc.
#include "doctor/doctor.h"

#include <map>

#include "base/file.h"
#include "base/text.h"
#include "doctor/check.h"
#include "doctor/description.h"
#include "doctor/reader.h"
#include "doctor/requirements_file.h"
#include "doctor/view.h"

namespace godwit::doctor {
namespace {

Result<Environment> environment_of(const Options& options) {
  if (!options.description.empty()) return read_description(options.description);
  if (options.root.empty() || options.root == "/") return read_machine(Machine::here());
  std::error_code code;
  if (!std::filesystem::is_directory(options.root, code)) {
    return fail("E001", {.file = options.root}, {{"path", show_path(options.root)}});
  }
  return read_machine(Machine::copy(options.root));
}

// PyPI's own builds carry no "+cu121"; torch/version.py told those already.
void note_cuda_build(Environment& environment) {
  const Package* const torch = environment.package("torch");
  const auto version = torch ? Version::parse(torch->version) : std::nullopt;
  if (version && version->local().starts_with("cu"))
    environment.torch_cuda.learn(version->local(), torch->source);
}

// The chip behind the name that npu-smi prints: "310P3", or "Ascend910_9391" in full.
std::optional<facts::Soc> chip_of(const Environment& environment) {
  if (environment.npus.empty()) return std::nullopt;
  const std::string& name = environment.npus.front().name;
  const auto soc = facts::load_soc(name.starts_with("Ascend") ? name : "Ascend" + name);
  return soc ? std::optional(*soc) : std::nullopt;
}

Tally run_checks(const Context& context, Findings& findings) {
  Tally tally;
  for (const Check* const check : kChecks) {
    switch (check->run(context, findings)) {
      case Verdict::kJudged: ++tally.judged; break;
      case Verdict::kUnknown: tally.unknown.emplace_back(check->code); break;
      case Verdict::kNotApplicable: ++tally.not_applicable; break;
    }
  }
  return tally;
}

}  // namespace

Result<diag::Outcome> doctor(const Options& options) {
  std::error_code code;
  if (!std::filesystem::exists(options.project, code)) {
    return fail("E001", {.file = options.project}, {{"path", show_path(options.project)}});
  }
  std::optional<facts::Target> target;
  if (!options.to.empty()) {
    ASSIGN(target, facts::resolve_target(options.to));
  }
  ASSIGN(const Knowledge knowledge, load_knowledge());
  std::vector<Pin> requirements;  // first: asking the machine takes seconds
  if (!options.requirements.empty()) {
    ASSIGN(requirements, read_requirements_file(options.requirements));
  }
  ASSIGN(Environment environment, environment_of(options));
  note_cuda_build(environment);
  const std::vector<Pin> pins = read_pins(options.project);
  const Plan plan =
      solve(knowledge, environment, constraints_of(knowledge, environment, pins, requirements));
  const std::optional<facts::Soc> found = chip_of(environment);
  const Context context = {.environment = environment,
                           .knowledge = knowledge,
                           .asked = target ? &target->soc : nullptr,
                           .found = found ? &*found : nullptr,
                           .pins = pins,
                           .requirements = requirements,
                           .plan = plan};
  diag::Outcome outcome{.command = "doctor"};
  const Tally tally = run_checks(context, outcome.findings);
  add_views(context, target ? &*target : nullptr, tally, outcome);
  return outcome;
}

}  // namespace godwit::doctor
