// godwit facts import: the best tables are those of the user's own machine.
#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "diag/messages.h"
#include "facts/importer.h"

namespace godwit::cli::commands {
namespace {

using diag::text;

constexpr std::size_t kMostSkipped = 10;

std::string known_or_dash(const std::string& value) { return value.empty() ? "-" : value; }

std::string summary_of(const facts::Imported& imported) {
  std::size_t operators = 0;
  std::vector<std::string> chips;
  for (const auto& [family, rows] : imported.kernels) {
    operators += rows.size();
    if (!rows.empty()) chips.push_back(family);
  }
  return text("facts_import.done", {{"files", with_thousands(imported.files)},
                                    {"operators", with_thousands(operators)},
                                    {"chips", known_or_dash(join(chips, ", "))},
                                    {"cann", known_or_dash(imported.cann)},
                                    {"torch_npu", known_or_dash(imported.torch_npu)},
                                    {"symbols", with_thousands(imported.symbols.size())}});
}

Status import(const Arguments& arguments, const Console& console) {
  std::filesystem::path folder = arguments.text("--output");
  if (folder.empty()) {
    ASSIGN(folder, facts::usual_overlay_folder());
  }
  ASSIGN(const facts::Imported imported, facts::import_folder(arguments.text("DIR")));
  TRY(facts::write_overlay(imported, folder));
  for (std::size_t i = 0; i < std::min(imported.skipped.size(), kMostSkipped); ++i) {
    const auto& [file, reason] = imported.skipped[i];
    console.note(text("facts_import.skipped", {{"file", to_valid_utf8(file)}, {"reason", reason}}));
  }
  console.print(summary_of(imported) + "\n");
  console.print(text("facts_import.written", {{"path", show_path(folder)}}) + "\n");
  return {};
}

ExitCode run(const Arguments& arguments, const Console& console) {
  const Status status = import(arguments, console);
  return status ? ExitCode::kFine : console.report(status.error());
}

}  // namespace

extern const Command facts_import = {
    .name = "facts import",
    .options = {{.name = "DIR", .required = true},
                {.name = "--output", .value = "DIR", .letter = "-o"}},
    .phase = Phase::kAnalyse,
    .examples = {"godwit facts import /usr/local/Ascend/ascend-toolkit/latest -o overlay"},
    .run = run,
};

}  // namespace godwit::cli::commands
