// Commands as data: what `godwit NAME` takes, and the function that does it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diag/finding.h"
#include "diag/renderer.h"

namespace godwit::cli {

enum class ExitCode : int { kFine = 0, kFindings = 1, kUsage = 2, kBug = 3, kInterrupted = 130 };

/// One argument of a command. Its help text has the key "COMMAND.NAME" in ui.toml, with blanks of
/// the command as "_" and without the dashes ("facts_show.soc"), else "option.NAME".
struct Option {
  std::string_view name;        // "PATH" (positional) or "--to"
  std::string_view value = {};  // what it takes ("SOC"); empty for a flag; ignored for positionals
  std::string_view fallback = {};
  bool required = false;
  bool many = false;  // may be given several times; text is split at commas too
  std::vector<std::string_view> choices = {};
  std::string_view letter = {};  // "-o"
  bool verbatim = false;  // takes all words behind "--", as they are: the command line of another
};

/// What the user gave, by option name.
class Arguments {
 public:
  bool has(std::string_view name) const;
  /// Last value, or the fallback of the option.
  std::string text(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;

  std::map<std::string, std::vector<std::string>, std::less<>> values;
};

/// Where output goes: results to stdout, all else to stderr.
struct Console {
  diag::Style style;
  void print(std::string_view result) const;
  void note(std::string_view line) const;
  /// Prints the error and gives the exit code that fits it.
  ExitCode report(const Error& error) const;
  /// Renders by --format, writes to --output when given, filters by --select, --ignore and
  /// --baseline, and gives the exit code by --fail-on.
  ExitCode deliver(diag::Outcome outcome, const Arguments& arguments) const;
};

/// Options that commands have in common. kOutput: --format and --output. kFindings: those and
/// --select, --ignore, --fail-on, --baseline, --all.
enum class Shared : std::uint8_t { kNone, kOutput, kFindings };

/// Where in a migration a command has its place; the help lists them in this order.
enum class Phase : std::uint8_t { kMain, kPrepare, kAnalyse, kMigrate, kVerify, kShow };

std::string_view to_string(Phase phase);  // "main", "prepare" …: a key of [help.phase]

struct Command {
  std::string_view name;  // "scan", or with blanks for a sub-command: "facts show"
  std::vector<Option> options = {};
  Phase phase = Phase::kShow;
  Shared shared = Shared::kNone;
  std::vector<std::string_view> examples = {};
  ExitCode (*run)(const Arguments&, const Console&) = nullptr;
};
// Its one-line summary has the key "COMMAND.summary", its long help "COMMAND.about".

extern const std::span<const Command* const> kCommands;

/// The whole program.
int run(int argc, char** argv);

}  // namespace godwit::cli
