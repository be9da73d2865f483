// What holds for every command: --lang, --data, --overlay, --color, --version, and `godwit help`.
#include "cli/globals.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/resources.h"
#include "base/text.h"
#include "diag/messages.h"
#include "facts/overlay.h"

namespace godwit::cli {
namespace {

bool wants_color(std::string_view choice) {
  if (choice == "always" || choice == "never") return choice == "always";
  return std::getenv("NO_COLOR") == nullptr && ::isatty(1) == 1;
}

}  // namespace

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    return std::min<std::size_t>(size.ws_col, 140);
  return 100;
}

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
  // "godwit help scan" is what people type who come from git.
  if (!globals.rest.empty() && globals.rest.front() == "help") {
    globals.rest.erase(globals.rest.begin());
    globals.rest.emplace_back("--help");
  }
  return globals;
}

std::vector<std::string> global_names() {
  return {"--lang", "--data", "--overlay", "--color", "--version"};
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

}  // namespace godwit::cli
