// Output place: whether a file may be written where -o and --write-baseline ask for it.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/command.h"

namespace godwit::cli {

/// Earlier output of Godwit may be replaced, what the command reads may not. Errors: E094 an input,
/// E095 a file of a dossier.
Status check_output_place(const Arguments& arguments, const std::string& file);

}  // namespace godwit::cli
