// Names that Python has without an import.
#pragma once

#include <string_view>

namespace godwit::project {

bool is_builtin(std::string_view name);

}  // namespace godwit::project
