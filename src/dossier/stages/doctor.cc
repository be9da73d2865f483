// Does the environment fit the chip and the project, and what should be installed?
#include "doctor/doctor.h"

#include "base/file.h"
#include "base/hash.h"
#include "diag/messages.h"
#include "dossier/machine.h"
#include "dossier/markdown.h"
#include "dossier/stage.h"

namespace godwit::dossier::stages {
namespace {

// Where projects pin what they need.
bool is_pin_file(const project::File& file) {
  using project::FileKind;
  const std::string name = file.path.substr(file.path.rfind('/') + 1);
  return file.kind == FileKind::kRequirements || file.kind == FileKind::kToml ||
         name == "setup.py" || name == "setup.cfg" || name.ends_with(".lock") ||
         name.starts_with("environment.") || file.kind == FileKind::kOnnx;
}

std::string facts(const Context& context) {
  const std::string described = context.option("env");
  if (described.empty()) return machine_facts();
  const auto text = read_file(described);
  return text ? sha256(*text) : "unreadable";
}

Result<diag::Outcome> run(const Context& context) {
  const doctor::Options options = {.project = context.subject.path.string(),
                                   .to = context.option("to"),
                                   .description = context.option("env")};
  ASSIGN(diag::Outcome outcome, doctor::doctor(options));
  const std::string page = to_markdown(outcome, diag::text("report.stage_doctor"));
  TRY(write_file(context.folder / "environment.md", page, Sync::kLater));
  TRY(write_file(context.folder / "environment.json", outcome.summary.dump(1) + "\n",
                 Sync::kLater));
  return outcome;
}

}  // namespace

extern const Stage doctor = {
    .name = "doctor",
    .order = 10,
    .options = {"to", "env", "lang"},
    .reads = is_pin_file,
    .facts = facts,
    .command =
        [](const Context& context) {
          std::vector<std::string> words = {"godwit", "doctor", context.subject.path.string(),
                                            "--to", context.option("to")};
          if (!context.option("env").empty())
            words.insert(words.end(), {"--env", context.option("env")});
          return command_line(words);
        },
    .run = run,
};

}  // namespace godwit::dossier::stages
