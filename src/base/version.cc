// The version of this build, set in one place: project() in CMakeLists.txt.
#include "base/version.h"

namespace godwit {

std::string_view version() { return GODWIT_VERSION; }

}  // namespace godwit
