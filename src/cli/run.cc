// The command line itself: CLI11 stays inside this file; commands are data (command.h).
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <sstream>

#include "base/resources.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/usage.h"
#include "diag/messages.h"
#include "facts/overlay.h"

namespace godwit::cli {
namespace {

std::vector<Option> shared_options(const Command& command) {
  if (command.shared == Shared::kNone) return {};
  static const std::vector<Option> kOutput = {
      {.name = "--format", .value = "FORMAT", .fallback = "text"},
      {.name = "--output", .value = "FILE", .letter = "-o"},
  };
  static const std::vector<Option> kFindings = {
      {.name = "--select", .value = "CODES", .many = true},
      {.name = "--ignore", .value = "CODES", .many = true},
      {.name = "--fail-on",
       .value = "SEVERITY",
       .fallback = "error",
       .choices = {"error", "warning", "note", "never"}},
      {.name = "--baseline", .value = "FILE"},
      {.name = "--all"},
  };
  std::vector<Option> shared = kOutput;
  if (command.shared == Shared::kFindings)
    shared.insert(shared.end(), kFindings.begin(), kFindings.end());
  return shared;
}

std::string key_of(const Command& command, std::string_view part) {
  return format("{}.{}", replace_all(command.name, " ", "_"), part);
}

std::string help_of(const Command& command, const Option& option) {
  std::string bare(option.name);
  bare.erase(0, bare.find_first_not_of('-'));
  bare = to_lower(replace_all(bare, "-", "_"));
  const std::string own = key_of(command, bare);
  return diag::text(diag::has_text(own) ? own : format("option.{}", bare));
}

std::string footer_of(const Command& command) {
  std::string out;
  const std::string about = key_of(command, "about");
  if (diag::has_text(about)) out += diag::text(about) + "\n\n";
  if (command.examples.empty()) return out;
  out += diag::text("help.examples") + "\n";
  for (const std::string_view example : command.examples) out += format("  {}\n", example);
  return out;
}

using Values = std::map<std::string, std::vector<std::string>, std::less<>>;

void add_option(CLI::App& app, const Command& command, const Option& option, Values& values) {
  const std::string name(option.name);
  const std::string help = help_of(command, option);
  const std::string names = option.letter.empty() ? name : format("{},{}", option.letter, name);
  const bool positional = !name.starts_with("-");
  if (!positional && option.value.empty()) {
    app.add_flag_callback(
        names, [&values, name] { values[name] = {}; }, help);
    return;
  }
  const auto keep = [&values, name](const CLI::results_t& given) {
    values[name] = given;
    return true;
  };
  CLI::Option* const made = app.add_option(names, keep, help);
  made->type_name(positional ? "" : std::string(option.value));
  if (option.many) {
    made->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (positional) made->expected(1, CLI::detail::expected_max_vector_size);
  }
  if (option.required) made->required();
  if (!option.fallback.empty()) made->default_str(std::string(option.fallback));
  if (!option.choices.empty()) {
    std::vector<std::string> choices(option.choices.begin(), option.choices.end());
    made->check(CLI::IsMember(std::move(choices)));
  }
}

// Columns are counted as a terminal shows them: a Chinese character takes two, and three bytes.
class Help : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    std::ostringstream out;
    CLI::detail::format_help(out, name, make_option_desc(option),
                             column_width_ + name.size() - display_width(name));
    return out.str();
  }
};

// The frame of all help texts; sub-commands take it over from the root.
void set_frame(CLI::App& root) {
  root.formatter(std::make_shared<Help>());
  for (const auto& [label, key] : std::initializer_list<std::pair<const char*, const char*>>{
           {"Usage", "help.usage"},
           {"OPTIONS", "help.any_options"},
           {"Positionals", "help.positionals"},
           {"REQUIRED", "help.required"},
           {"SUBCOMMAND", "help.any_command"},
           {"SUBCOMMANDS", "help.any_command"}}) {
    root.get_formatter()->label(label, diag::text(key));
  }
  root.option_defaults()->group(diag::text("help.options"));
}

CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary) {
  CLI::App* const app = parent.add_subcommand(name, summary);
  app->group(diag::text("help.commands"));
  app->set_help_flag("-h,--help", diag::text("option.help"));
  return *app;
}

// "facts show" is `show` below `facts`; the parent appears on first need.
CLI::App& parent_of(CLI::App& root, const Command& command, std::string& leaf) {
  CLI::App* at = &root;
  const auto words = split(command.name, ' ');
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string word(words[i]);
    const auto known = at->get_subcommands([&](CLI::App* app) { return app->get_name() == word; });
    at = !known.empty() ? known.front()
                        : &add_command(*at, word, diag::text(format("{}.summary", word)));
    at->require_subcommand(1);
  }
  leaf = words.back();
  return *at;
}

struct Built {
  std::unique_ptr<CLI::App> root;
  std::vector<CLI::App*> apps;  // in the order of kCommands
  std::vector<Values> values;
};

Built build() {
  Built built;
  built.root = std::make_unique<CLI::App>(diag::text("help.about"), "godwit");
  set_frame(*built.root);
  built.root->set_help_flag("-h,--help", diag::text("option.help"));
  built.root->require_subcommand(0, 1);
  built.values.resize(kCommands.size());
  for (std::size_t i = 0; i < kCommands.size(); ++i) {
    const Command& command = *kCommands[i];
    std::string leaf;
    CLI::App& parent = parent_of(*built.root, command, leaf);
    CLI::App* const app = &add_command(parent, leaf, diag::text(key_of(command, "summary")));
    app->footer(footer_of(command));
    for (const Option& option : command.options) add_option(*app, command, option, built.values[i]);
    for (const Option& option : shared_options(command)) {
      // A command may give a shared option another meaning (port: --output is a folder).
      const bool is_own = std::any_of(command.options.begin(), command.options.end(),
                                      [&](const Option& own) { return own.name == option.name; });
      if (!is_own) add_option(*app, command, option, built.values[i]);
    }
    built.apps.push_back(app);
  }
  return built;
}

void add_fallbacks(const std::vector<Option>& options, Values& values) {
  for (const Option& option : options) {
    const std::string name(option.name);
    if (!option.fallback.empty() && !values.contains(name))
      values[name] = {std::string(option.fallback)};
  }
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    return std::min<std::size_t>(size.ws_col, 140);
  return 100;
}

bool wants_color(std::string_view choice) {
  if (choice == "always" || choice == "never") return choice == "always";
  return std::getenv("NO_COLOR") == nullptr && ::isatty(1) == 1;
}

// Options that hold for every command may stand anywhere; they are taken out before CLI11 reads
// the rest, because the language must be known before help texts are made.
struct Globals {
  std::string language, data, overlay, color = "auto";
  bool version = false;
  std::vector<std::string> rest;
  std::vector<std::string> verbatim;  // behind "--", for a command that takes them so
};

// The option of the command that these words start with which takes what is behind "--", or null.
const Option* verbatim_option(std::span<const std::string> words) {
  for (const Command* const command : kCommands) {
    const auto name = split(command->name, ' ');
    if (words.size() < name.size() || !std::equal(name.begin(), name.end(), words.begin()))
      continue;
    for (const Option& option : command->options) {
      if (option.verbatim) return &option;
    }
  }
  return nullptr;
}

Globals take_globals(int argc, char** argv) {
  Globals globals;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") {  // everything behind belongs to the command
      const bool as_it_is = verbatim_option(globals.rest) != nullptr;
      auto& into = as_it_is ? globals.verbatim : globals.rest;
      into.insert(into.end(), argv + i + (as_it_is ? 1 : 0), argv + argc);
      break;
    }
    const auto take = [&](std::string_view name, std::string& into) {
      if (word == name && i + 1 < argc) {
        into = argv[++i];
      } else if (word.starts_with(name) && word.substr(name.size()).starts_with('=')) {
        into = word.substr(name.size() + 1);
      } else {
        return false;
      }
      return true;
    };
    if (take("--lang", globals.language) || take("--data", globals.data) ||
        take("--overlay", globals.overlay) || take("--color", globals.color))
      continue;
    if (i == 1 && (word == "--version" || word == "-V")) globals.version = true;
    globals.rest.emplace_back(word);
  }
  return globals;
}

Status prepare(const Globals& globals, Console& console) {
  // English until the choice is known to be good, so that the error itself can be read.
  ASSIGN(const diag::Language language, diag::choose_language(globals.language));
  diag::set_language(language);
  if (!globals.data.empty()) TRY(override_resources(globals.data));
  TRY(facts::use_overlay(globals.overlay));
  console.style.color = wants_color(globals.color);
  console.style.width = terminal_width();
  return {};
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, const Console& console) {
  Args args = {{"reason", usage_text(error.what())}, {"help", "godwit --help"}};
  std::string names = "godwit";
  for (const CLI::App* at = &app; at;) {
    const auto deeper = at->get_subcommands();
    if (deeper.empty()) break;
    at = deeper.front();
    names += " " + at->get_name();
    args[1].second = names + " --help";
  }
  return static_cast<int>(console.report(Error{.code = "E022", .args = std::move(args)}));
}

// A folder that was deleted under the shell has no name: what is relative to it leads nowhere.
Status check_folder(const Command& command) {
  const bool takes_paths =
      std::any_of(command.options.begin(), command.options.end(), [](const Option& option) {
        return option.name == "PATH" || option.name == "PROJECT" || option.name == "DOSSIER" ||
               option.name == "DIR";
      });
  std::error_code code;
  const bool is_gone = std::filesystem::current_path(code).empty();
  return takes_paths && is_gone ? Status(fail("E019")) : Status();
}

// "$UNSET" in a script: an empty path would be another place than the one that was meant.
Status check_values(const Command& command, const Values& values) {
  const auto is_verbatim = [&](std::string_view name) {
    return std::any_of(command.options.begin(), command.options.end(), [&](const Option& option) {
      return option.name == name && option.verbatim;
    });
  };
  for (const auto& [name, given] : values) {
    if (is_verbatim(name) || std::find(given.begin(), given.end(), "") == given.end()) continue;
    return fail("E022", {},
                {{"reason", diag::text("usage.no_value", {{"name", name}})},
                 {"help", format("godwit {} --help", command.name)}});
  }
  return {};
}

int dispatch(const Built& built, const Console& console) {
  for (std::size_t i = 0; i < kCommands.size(); ++i) {
    if (!built.apps[i]->parsed()) continue;
    for (const Status& status :
         {check_values(*kCommands[i], built.values[i]), check_folder(*kCommands[i])}) {
      if (!status) return static_cast<int>(console.report(status.error()));
    }
    Arguments arguments;
    arguments.values = built.values[i];
    add_fallbacks(kCommands[i]->options, arguments.values);
    add_fallbacks(shared_options(*kCommands[i]), arguments.values);
    return static_cast<int>(kCommands[i]->run(arguments, console));
  }
  console.print(built.root->help());
  return static_cast<int>(ExitCode::kFine);
}

// What could not be printed must not look like a success; a reader that went away is no fault.
int checked(int status, const Console& console) {
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!lost || errno == EPIPE) return status;
  return static_cast<int>(console.report(
      Error{.code = "E005", .args = {{"path", "stdout"}, {"reason", std::strerror(errno)}}}));
}

int run_unchecked(int argc, char** argv, Console& console) {
  Globals globals = take_globals(argc, argv);
  if (globals.version) {
    console.print(format("godwit {}\n", version()));
    return 0;
  }
  if (const Status status = prepare(globals, console); !status) {
    return static_cast<int>(console.report(status.error()));
  }
  Built built = build();
  const Option* const verbatim = verbatim_option(globals.rest);
  std::reverse(globals.rest.begin(), globals.rest.end());
  try {
    built.root->parse(globals.rest);
  } catch (const CLI::CallForHelp&) {
    return built.root->exit(CLI::CallForHelp());
  } catch (const CLI::ParseError& error) {
    return usage_error(*built.root, error, console);
  }
  for (std::size_t i = 0; i < kCommands.size(); ++i) {
    if (globals.verbatim.empty() || !built.apps[i]->parsed()) continue;
    auto& words = built.values[i][std::string(verbatim->name)];
    words.insert(words.end(), globals.verbatim.begin(), globals.verbatim.end());
  }
  return dispatch(built, console);
}

}  // namespace

int run(int argc, char** argv) {
  Console console;
  return checked(run_unchecked(argc, argv, console), console);
}

}  // namespace godwit::cli
