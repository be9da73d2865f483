// Asks the table of libraries.
#include "port/libraries.h"

namespace godwit::port {

bool runs_here(std::string_view import_name, const facts::Soc& soc) {
  const auto found = facts::find_library(import_name, soc);
  return found && *found && facts::is_yes((*found)->on_soc) &&
         (*found)->how != facts::Replacement::kNone;
}

}  // namespace godwit::port
