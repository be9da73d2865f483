// The command line itself: CLI11 stays inside this file; commands are data (command.h).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>

#include "base/text.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/globals.h"
#include "cli/last_words.h"
#include "cli/usage.h"
#include "diag/messages.h"

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
  out += diag::text("help.common") + "\n";
  if (command.examples.empty()) return out;
  out += "\n" + diag::text("help.examples") + "\n";
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
  explicit Help(std::size_t width) : width_(std::max<std::size_t>(width, 60)) {}

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + make_option_opts(option),
                 make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* app) const override {
    return entry(app->get_name(), app->get_description());
  }
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string out = format("\n{}{}\n", group, diag::text("help.colon"));
    for (const CLI::Option* const option : options) out += make_option(option, is_positional);
    return out;
  }
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
    const std::string made = CLI::Formatter::make_subcommands(app, mode);
    return replace_all(made, ":\n", diag::text("help.colon") + "\n");
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string made = CLI::Formatter::make_usage(app, std::move(name));
    const std::string colon = diag::text("help.colon");
    const std::size_t at = made.find(": ");
    return made.replace(at, 2, colon == ":" ? ": " : colon);
  }
  std::string make_description(const CLI::App* app) const override {
    return paragraphs(app->get_description());
  }
  // Examples and tables stand as they are written: a line that begins with a blank is not broken.
  std::string make_footer(const CLI::App* app) const override {
    return paragraphs(app->get_footer());
  }

 private:
  std::string entry(const std::string& name, const std::string& what) const {
    const std::size_t column = column_width_;
    std::string out = pad("  " + name, column);
    bool fits = display_width(out) <= column && out.ends_with(' ');
    for (const std::string& line : wrap(what, width_ - column)) {
      if (!fits) out += "\n" + std::string(column, ' ');
      out += line;
      fits = false;
    }
    return out + "\n";
  }
  std::string paragraphs(const std::string& text) const {
    std::string out;
    for (const std::string_view line : split(text, '\n')) {
      if (line.starts_with(' ') || line.empty()) {
        out += format("{}\n", line);
        continue;
      }
      for (const std::string& part : wrap(line, width_)) out += part + "\n";
    }
    return out;
  }

  std::size_t width_;
};

// The frame of all help texts; sub-commands take it over from the root.
void set_frame(CLI::App& root) {
  root.formatter(std::make_shared<Help>(std::min<std::size_t>(terminal_width(), 100)));
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

CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                      Phase phase) {
  CLI::App* const app = parent.add_subcommand(name, summary);
  const bool is_first_word = parent.get_parent() == nullptr;
  app->group(diag::text(is_first_word ? format("help.phase.{}", to_string(phase))
                                      : std::string("help.commands")));
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
    at = !known.empty()
             ? known.front()
             : &add_command(*at, word, diag::text(format("{}.summary", word)), command.phase);
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

// Commands in the order of a migration, which is that of the help.
std::vector<std::size_t> journey() {
  std::vector<std::size_t> order(kCommands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [](std::size_t a, std::size_t b) {
    return kCommands[a]->phase < kCommands[b]->phase;
  });
  return order;
}

Built build() {
  Built built;
  built.root = std::make_unique<CLI::App>(diag::text("help.about"), "godwit");
  set_frame(*built.root);
  built.root->set_help_flag("-h,--help", diag::text("option.help"));
  built.root->require_subcommand(0, 1);
  built.root->footer(diag::text("help.start"));
  built.values.resize(kCommands.size());
  built.apps.resize(kCommands.size());
  for (const std::size_t i : journey()) {
    const Command& command = *kCommands[i];
    std::string leaf;
    CLI::App& parent = parent_of(*built.root, command, leaf);
    CLI::App* const app =
        &add_command(parent, leaf, diag::text(key_of(command, "summary")), command.phase);
    app->footer(footer_of(command));
    for (const Option& option : command.options) add_option(*app, command, option, built.values[i]);
    for (const Option& option : shared_options(command)) {
      // A command may give a shared option another meaning (port: --output is a folder).
      const bool is_own = std::any_of(command.options.begin(), command.options.end(),
                                      [&](const Option& own) { return own.name == option.name; });
      if (!is_own) add_option(*app, command, option, built.values[i]);
    }
    built.apps[i] = app;
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

// What stands on the line and fits nothing, in the order in which it was typed.
std::string stray_words(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  return join(words, " ");
}

// The command or option that a stray word may have meant.
std::string meant_by(const CLI::App& root, const CLI::App& app) {
  const std::vector<std::string> words = root.remaining(true);
  if (words.empty()) return {};
  std::vector<std::string> known;
  if (words.front().starts_with('-')) {
    known = global_names();
    for (const CLI::Option* const option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  } else {
    for (const CLI::App* const below : app.get_subcommands({})) known.push_back(below->get_name());
  }
  return join(nearest(words.front().substr(0, words.front().find('=')), known, 1), "");
}

// What a missing option or argument is for, as the help says it.
std::string wanted_by(const CLI::App& app, std::string_view reason) {
  for (const CLI::Option* const option : app.get_options()) {
    if (reason.starts_with(option->get_name() + " is required")) return option->get_description();
  }
  return {};
}

int usage_error(const CLI::App& root, const CLI::ParseError& error, const Console& console) {
  const CLI::App* at = &root;
  std::string names = "godwit";
  for (auto deeper = at->get_subcommands(); !deeper.empty(); deeper = at->get_subcommands()) {
    at = deeper.front();
    names += " " + at->get_name();
  }
  std::string reason = usage_text(error.what());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    reason = diag::text("usage.unexpected", {{"found", stray_words(root)}});
    const std::string meant = meant_by(root, *at);
    if (!meant.empty()) reason = diag::text("usage.near", {{"reason", reason}, {"nearest", meant}});
  }
  return static_cast<int>(
      console.report(misused(std::move(reason), wanted_by(*at, error.what()), names + " --help")));
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
    return tl::unexpected(misused(diag::text("usage.no_value", {{"name", name}}), {},
                                  format("godwit {} --help", command.name)));
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
  prepare_last_words();
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

std::string_view to_string(Phase phase) {
  constexpr std::array<std::string_view, 6> kNames = {"main",    "prepare", "analyse",
                                                      "migrate", "verify",  "show"};
  return kNames[static_cast<std::size_t>(phase)];
}

int run(int argc, char** argv) {
  Console console;
  return checked(run_unchecked(argc, argv, console), console);
}

}  // namespace godwit::cli
