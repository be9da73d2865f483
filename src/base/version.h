// The version of this build, as CMakeLists.txt names it.
#pragma once

#include <string_view>

namespace godwit {

std::string_view version();

}  // namespace godwit
