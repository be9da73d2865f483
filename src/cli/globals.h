// What holds for every command and may stand anywhere on the line: taken out before the rest.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"

namespace godwit::cli {

/// The language must be known before help texts are made, so these do not wait for the parser.
struct Globals {
  std::string language, data, overlay, color = "auto";
  bool version = false;
  std::vector<std::string> rest;
  std::vector<std::string> verbatim;  // behind "--", for a command that takes them so
};

Globals take_globals(int argc, char** argv);

/// The option of the command that these words start with which takes what is behind "--", or null.
const Option* verbatim_option(std::span<const std::string> words);

/// Columns of the terminal, or 100 where there is none.
std::size_t terminal_width();

/// Makes them hold: language, tables, overlay, colour and width of what is printed.
Status prepare(const Globals& globals, Console& console);

/// Their names, for what a misspelt option may have meant.
std::vector<std::string> global_names();

}  // namespace godwit::cli
