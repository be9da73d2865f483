// The module path of the running call ("layer4.1.conv2"), asked from Python only when somebody
// needs it.
#pragma once

#include <string>

namespace godwit {

/// Empty outside of modules, in threads without Python frames, and where nobody answers.
std::string module_path();

}  // namespace godwit
