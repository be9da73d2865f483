// Does the ported program run? The command that tries it on an emulated device is offered, and run
// for a few steps when asked, in a copy: a dossier keeps no checkpoints of a trial.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "base/unfinished.h"
#include "diag/messages.h"
#include "dossier/stage.h"
#include "emulate/launch.h"

namespace godwit::dossier::stages {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kPatience{10};
constexpr std::string_view kOfferedSteps = "3";

std::vector<std::string> texts_of(const Json& words) {
  std::vector<std::string> out;
  for (const Json& word : words.items()) out.emplace_back(word.string());
  return out;
}

// A program of the port: where its command line is typed, and its words.
struct Trial {
  explicit Trial(const Json& program)
      : path(program["path"].string()),
        folder(program["folder"].string()),
        words(texts_of(program["words"])) {}
  std::string path, folder;
  std::vector<std::string> words;
};

// As many devices as the line starts processes.
std::string count_cards(const Context& context, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::size_t value = word.find('=');
    if (word.starts_with("--nproc") && value != std::string::npos) return word.substr(value + 1);
  }
  return context.option("cards");
}

// What follows the name of our program: emulate --to SOC … -- python train.py
std::vector<std::string> emulation(const Context& context, std::string steps,
                                   const std::vector<std::string>& program) {
  std::vector<std::string> words = {"emulate", "--to", context.option("to")};
  if (std::string cards = count_cards(context, program); !cards.empty())
    words.insert(words.end(), {"--cards", std::move(cards)});
  words.insert(words.end(), {"--steps", std::move(steps), "--"});
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

std::string offered(const Context& context, const Trial& trial) {
  std::string steps = context.option("try-run");
  if (steps.empty()) steps = kOfferedSteps;
  std::vector<std::string> words = emulation(context, std::move(steps), trial.words);
  words.insert(words.begin(), "godwit");
  const std::string command = command_line(words);
  return trial.folder.empty() ? command
                              : format("{} && {}", command_line({"cd", trial.folder}), command);
}

// A folder of the system's for one trial; gone with this object.
class Scratch {
 public:
  explicit Scratch(const fs::path& source) {
    std::error_code code;
    const fs::path temporary = fs::temp_directory_path(code);  // TMPDIR may name no folder
    if (!code && !folder_.make_folder(temporary)) code.assign(errno, std::generic_category());
    if (!code) fs::copy(source, folder_.path(), fs::copy_options::recursive, code);
    if (code) fault_ = code.message();
  }
  const std::string& fault() const { return fault_; }  // empty when the copy is whole
  std::string path() const { return folder_.path().empty() ? "TMPDIR" : folder_.path(); }

 private:
  Unfinished folder_;
  std::string fault_{};
};

// The first line that names an error of Python (launchers add their own behind it), else the last
// line that says anything.
std::string reason_of(std::string_view output) {
  std::string last, error;
  for (const std::string_view line : split(output, '\n')) {
    if (trim(line).empty()) continue;
    last = trim(line);
    if (error.empty() && line.front() != ' ' && contains(line.substr(0, line.find(' ')), "Error:"))
      error = last;
  }
  return error.empty() ? last : error;
}

diag::Finding finding(std::string_view variant, diag::Severity severity, const std::string& path,
                      Args args) {
  return {.code = "P061",
          .severity = severity,
          .place = {.file = path},
          .args = std::move(args),
          .variant = std::string(variant)};
}

std::string text_of(const Error& error) {
  return diag::text(format("{}.title", error.code), error.args);
}

Result<diag::Finding> try_one(const Context& context, const fs::path& source, const Trial& trial) {
  const std::string command = offered(context, trial), &path = trial.path;
  const auto python = emulate::find_python(trial.words);
  if (!python) {
    return finding("no_torch", diag::Severity::kWarning, path,
                   {{"reason", text_of(python.error())}, {"command", command}});
  }
  const Scratch scratch(source);
  if (!scratch.fault().empty()) {
    return fail("E005", {.file = scratch.path()},
                {{"path", scratch.path()}, {"reason", scratch.fault()}});
  }
  std::vector<std::string> words = {"sh", "-c", "cd \"$0\" && exec \"$@\"",
                                    (fs::path(scratch.path()) / trial.folder).string(),
                                    emulate::own_path().string()};
  for (std::string& word : emulation(context, context.option("try-run"), trial.words))
    words.push_back(std::move(word));
  const auto done = run_program(words, kPatience);
  if (!done && done.error().code != "E015") return tl::unexpected(done.error());
  if (!done) {
    return finding("late", diag::Severity::kWarning, path,
                   {{"minutes", std::to_string(kPatience.count())}, {"command", command}});
  }
  TRY(write_file(context.folder / "try.log", done->output, Sync::kLater));
  const Args args = {{"steps", context.option("try-run")},
                     {"code", std::to_string(done->exit_code)},
                     {"reason", reason_of(done->output)},
                     {"command", command}};
  return done->exit_code == 0 ? finding("ran", diag::Severity::kNote, path, args)
                              : finding("failed", diag::Severity::kError, path, args);
}

fs::path source_of_port(const Context& context) {
  return context.folder.parent_path().parent_path().parent_path() / "source";
}

// The programs, those first that show most: what trains where the project does, and what starts in
// the project's own folder before what needs a server or a board.
std::vector<Trial> trials_of(const Context& context) {
  const diag::Outcome* const port = context.outcome("port");
  const diag::Outcome* const scan = context.outcome("scan");
  const bool trains = scan && scan->summary["project"]["mode"].string() == "training";
  std::vector<Trial> all;
  if (!port) return all;
  for (const Json& program : port->summary["programs"].items()) all.emplace_back(program);
  const auto rank = [&](const Trial& trial) {
    const bool names_training =
        std::any_of(trial.words.begin(), trial.words.end(), [](const std::string& word) {
          return contains(to_lower(std::filesystem::path(word).filename().string()), "train");
        });
    return std::pair(trains && !names_training, !trial.folder.empty());
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Trial& a, const Trial& b) { return rank(a) < rank(b); });
  return all;
}

// Every program gets its command; the first one is tried.
Result<diag::Outcome> run(const Context& context) {
  diag::Outcome all{.command = "try"};
  Json commands = Json::array();
  for (const Trial& trial : trials_of(context)) {
    commands.add(offered(context, trial));
    if (context.option("try-run").empty() || !all.findings.empty()) continue;
    ASSIGN(diag::Finding found, try_one(context, source_of_port(context), trial));
    all.summary.set("result", found.variant);
    all.findings.push_back(std::move(found));
  }
  const bool is_asked = !context.option("try-run").empty();
  if (commands.items().empty() && is_asked)
    all.findings.push_back(finding("no_program", diag::Severity::kWarning, {}, {}));
  all.summary.set("commands", std::move(commands));
  return all;
}

// Another Python may have what this one lacked.
std::string python_of(const Context& context) {
  if (context.option("try-run").empty()) return {};
  const auto python = emulate::find_python({"python"});
  return python ? format("{} {}", python->program, python->torch) : python.error().code;
}

}  // namespace

extern const Stage try_run = {
    .name = "try",
    .order = 50,
    .options = {"to", "lang", "cards", "try-run"},
    .after = {"port", "scan"},
    .facts = python_of,
    .applies = [](const Subject& subject) { return subject.has("project"); },
    .command = [](const Context& context) -> std::string {
      const std::vector<Trial> all = trials_of(context);
      return all.empty() ? std::string() : offered(context, all.front());
    },
    .run = run,
};

}  // namespace godwit::dossier::stages
