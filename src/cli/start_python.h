// Commands that start another command, in which every Python process has our package: trace,
// baseline record, export.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "emulate/launch.h"

namespace godwit::cli {

struct Start {
  std::vector<std::string> command;
  emulate::Python python;

  /// Becomes the command. Errors: E014.
  Status run(const Args& variables) const { return emulate::launch(command, variables, python); }
};

/// What `COMMAND` of `arguments` asks for. `asked`: our own command, for the error. Errors: E263
/// nothing to start, those of find_python.
Result<Start> prepare_start(std::string_view asked, const Arguments& arguments);

}  // namespace godwit::cli
