// Looks for the Python behind a command before anything is started, so that what is missing is said
// at once.
#include "cli/start_python.h"

namespace godwit::cli {

Result<Start> prepare_start(std::string_view asked, const Arguments& arguments) {
  const auto given =
      arguments.values.find("COMMAND");  // as it is: list() would part words at commas
  if (given == arguments.values.end() || given->second.empty())
    return fail("E263", {}, {{"command", std::string(asked)}});
  ASSIGN(emulate::Python python, emulate::find_python(given->second, emulate::Purpose::kRecord));
  return Start{given->second, std::move(python)};
}

}  // namespace godwit::cli
