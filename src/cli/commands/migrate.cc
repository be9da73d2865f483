// godwit migrate: the main job, from a project or model to its dossier.
#include <chrono>

#include "base/file.h"
#include "base/markup.h"
#include "base/text.h"
#include "cli/command.h"
#include "diag/messages.h"
#include "dossier/migrate.h"
#include "dossier/place.h"
#include "dossier/source.h"
#include "emulate/profile.h"
#include "facts/soc.h"
#include "facts/versions.h"
#include "port/port.h"
#include "report/page.h"
#include "report/pictures.h"

namespace godwit::cli::commands {
namespace {

using dossier::State;

std::string stage_title(std::string_view name) {
  const std::string key = format("report.stage_{}", name);
  return diag::has_text(key) ? diag::text(key) : std::string(name);
}

// One line per stage on stderr, as each ends.
class Lines {
 public:
  Lines(const Console& console, bool is_try_asked)
      : console_(console), is_try_asked_(is_try_asked) {}

  void operator()(const dossier::Stage& stage, State state, const dossier::Record* record) const {
    const std::string title = stage_title(stage.name);
    if (state == State::kKept) console_.note(diag::text("migrate.line_kept", {{"stage", title}}));
    if (state == State::kSkipped)
      console_.note(diag::text("migrate.line_skipped", {{"stage", title}}));
    if (state != State::kRan || record == nullptr) return;
    const bool found = record->findings[0] + record->findings[1] + record->findings[2] > 0;
    const bool is_offer = stage.name == "try" && !is_try_asked_;
    console_.note(diag::text(is_offer ? "migrate.line_offered"
                             : found  ? "migrate.line_ran"
                                      : "migrate.line_done",
                             {{"stage", title},
                              {"errors", std::to_string(record->findings[2])},
                              {"warnings", std::to_string(record->findings[1])},
                              {"notes", std::to_string(record->findings[0])},
                              {"seconds", format("{:.2f}", record->seconds)}}));
  }

 private:
  const Console& console_;
  bool is_try_asked_;
};

// How source.diff is applied, from the folder where the user is. `cd` follows links, so the way
// back starts from where they lead.
std::string apply_command(const dossier::Request& request) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path& path = request.path;
  const bool is_file = fs::is_regular_file(path, code);
  const fs::path root = is_file ? path.parent_path() : path;
  const fs::path out = request.out.empty() ? dossier::default_place(path) : request.out;
  const fs::path diff = fs::weakly_canonical(fs::absolute(out, code), code) / "source.diff";
  const fs::path from = fs::weakly_canonical(fs::absolute(root.empty() ? "." : root, code), code);
  const bool is_absolute = request.out.is_absolute();
  const std::string shown = (is_absolute ? diff : diff.lexically_relative(from)).string();
  const std::string apply = dossier::command_line({"git", "apply", shown});
  if (root.empty() || root == ".") return apply;
  return dossier::command_line({"cd", root.string()}) + " && " + apply;
}

Result<dossier::Request> request_of(const Arguments& arguments, const Console& console) {
  ASSIGN(const facts::Target target, facts::resolve_target(arguments.text("--to")));
  console.note(target.understood());
  const std::string release = arguments.text("--torch-npu");
  TRY(facts::choose_release(release));
  TRY(port::parse_cards(arguments.text("--cards")));
  TRY(emulate::parse_steps(arguments.text("--try-run")));
  dossier::Request request{.path = arguments.text("PATH"), .out = arguments.text("--out")};
  request.keep_edits = arguments.has("--keep-edits");
  std::vector<std::string> words = {"godwit", "migrate", arguments.text("PATH")};
  for (const std::string_view name :
       {"--to", "--mode", "--torch-npu", "--cards", "--style", "--env", "--try-run"}) {
    const std::string value = arguments.text(name);
    if (value.empty()) continue;
    request.options.emplace(name.substr(2), value);
    const bool is_usual = value == (name == "--mode" ? "auto" : name == "--style" ? "npu" : "");
    if (!is_usual) words.insert(words.end(), {std::string(name), value});
  }
  request.options.emplace("chip", target.soc.soc_version);
  request.options.emplace("lang", diag::language() == diag::Language::kChinese ? "zh" : "en");
  request.options.emplace("apply", apply_command(request));
  request.command = dossier::command_line(words);
  return request;
}

// What stands in the way of the first run, each with its first place.
std::string blockers(const report::Page& page) {
  constexpr std::size_t kMost = 5;
  std::string out;
  std::size_t found = 0;
  for (const report::Group& group : page.groups) {
    if (group.severity != diag::Severity::kError || ++found > kMost) continue;
    const std::string times =
        group.count > 1 ? format("  ×{}", with_thousands(group.count)) : std::string();
    out += printable(format("    {}  {}{}", group.code, group.title, times));
    if (!group.spots.empty()) {
      const report::Spot& first = group.spots.front();
      const std::string code = shorten(trim(first.snippet), 60);
      out += printable(format("  {}{}{}", first.place, code.empty() ? "" : "  ", code));
    }
    out += "\n";
  }
  if (found > kMost)
    out += "    " +
           diag::text("migrate.more_blockers", {{"count", with_thousands(found - kMost)}}) + "\n";
  return out;
}

std::string numbers(const report::Page& page) {
  std::string out = format("\n{} → {}\n", page.name, page.target);
  const auto line = [&](std::string_view key, const Args& args) {
    out += "  " + diag::text(key, args) + "\n";
  };
  line("migrate.counts", {{"errors", with_thousands(page.findings[2])},
                          {"places", with_thousands(page.places[2])},
                          {"warnings", with_thousands(page.findings[1])},
                          {"notes", with_thousands(page.findings[0])}});
  out += blockers(page);
  if (page.apis) {
    line("migrate.coverage",
         {{"supported", with_thousands(page.supported)}, {"apis", with_thousands(page.apis)}});
  }
  for (const report::Model& model : page.models) {
    std::vector<std::string> parts;
    std::size_t nodes = 0;
    for (const report::Slice& slice : model.tiers) {
      nodes += slice.count;
      parts.push_back(diag::text("migrate.part",
                                 {{"count", with_thousands(slice.count)}, {"what", slice.label}}));
    }
    line(parts.empty() ? "migrate.model_unread" : "migrate.model",
         {{"model", model.path},
          {"nodes", with_thousands(nodes)},
          {"tiers", join(parts, diag::text("migrate.comma"))}});
  }
  if (page.is_ported) {
    line("migrate.ported", {{"edits", with_thousands(page.edits)},
                            {"files", with_thousands(page.edited_files)},
                            {"left", with_thousands(page.left)}});
  }
  if (report::is_nearest_release(page)) {
    line("migrate.nearest_release", {{"used", page.used_release}, {"wanted", page.solved_release}});
  }
  if (!page.effort.empty()) {
    line("migrate.effort", {{"first", report::days(page.first_run)},
                            {"production", report::days(page.production)},
                            {"peak", report::days(page.peak)}});
  }
  return out;
}

void show(const dossier::Dossier& made, const report::Page& page, const Console& console) {
  if (!made.edited.empty()) {
    console.note(diag::text("migrate.edited", {{"files", join(made.edited, ", ")}}));
  }
  if (!made.moved_to.empty()) {
    console.note(diag::text("migrate.moved", {{"folder", show_path(made.moved_to)}}));
  }
  std::string out = numbers(page) + "\n";
  const auto place = [&](std::string_view key, std::string_view name) {
    std::error_code code;
    const auto path = made.folder / std::string(name);
    if (!name.empty() && !std::filesystem::exists(path, code)) return;
    const std::string shown = show_path(name.empty() ? made.folder : path);
    out += "  " + diag::text(key, {{"path", shown}, {"folder", shown}}) + "\n";
  };
  place("migrate.done", "");
  place("migrate.see_report", "report.html");
  place("migrate.see_environment", "environment.md");
  place("migrate.see_diff", "source.diff");
  place("migrate.see_checklist", "checklist.md");
  if (page.models.size() == 1 && !page.models.front().command.empty())
    out += "  " + diag::text("migrate.convert", {{"command", page.models.front().command}}) + "\n";
  if (!page.trials.empty()) {
    const std::string copy =
        dossier::command_line({"cp", "-r", show_path(made.folder / "source"), "trial"});
    out += "  " +
           diag::text("migrate.try",
                      {{"command", format("{} && cd trial && {}", copy, page.trials.front())}}) +
           "\n";
  }
  if (!page.trial.empty())
    out += "  " + diag::text("migrate.tried", {{"result", page.trial}}) + "\n";
  console.print(out);
}

ExitCode run(const Arguments& arguments, const Console& console) {
  auto request = request_of(arguments, console);
  if (!request) return console.report(request.error());
  request->watch = Lines(console, arguments.has("--try-run"));
  const auto made = dossier::migrate(*request);
  if (!made) return console.report(made.error());
  const auto source = dossier::read_source(made->folder);
  if (!source) return console.report(source.error());
  const report::Page page = report::make_page(*source);
  show(*made, page, console);
  const bool blocked = page.findings[2] > 0;
  return blocked && arguments.text("--fail-on") == "error" ? ExitCode::kFindings : ExitCode::kFine;
}

}  // namespace

extern const Command migrate = {
    .name = "migrate",
    .options =
        {{.name = "PATH", .required = true},
         {.name = "--to", .value = "SOC", .required = true},
         {.name = "--out", .value = "OUT", .letter = "-o"},
         {.name = "--mode",
          .value = "MODE",
          .fallback = "auto",
          .choices = {"auto", "inference", "training"}},
         {.name = "--torch-npu", .value = "VERSION"},
         {.name = "--cards", .value = "N"},
         {.name = "--style", .value = "STYLE", .fallback = "npu", .choices = {"npu", "portable"}},
         {.name = "--env", .value = "FILE"},
         {.name = "--try-run", .value = "STEPS"},
         {.name = "--keep-edits"},
         {.name = "--fail-on",
          .value = "SEVERITY",
          .fallback = "never",
          .choices = {"never", "error"}}},
    .phase = Phase::kMain,
    .examples = {"godwit migrate examples/01_tiny_clip/project --to ascend310p",
                 "godwit migrate . --to ascend310p --cards 2 --try-run 3",
                 "godwit migrate model.onnx --to Ascend310P3 -o model-310p"},
    .run = run,
};

}  // namespace godwit::cli::commands
