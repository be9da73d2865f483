// A team's own requirement matrix: a TOML file of component and version range.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "doctor/pin.h"

namespace godwit::doctor {

/// Lines in the order of the file. Components are those of kFields and Python packages; `driver`
/// with a range beyond 100 means the NVIDIA driver, which counts like that (450.80.02). Errors:
/// E001…E004 and E013 of reading, E102 a range that cannot be understood.
Result<std::vector<Pin>> read_requirements_file(const std::filesystem::path& path);

}  // namespace godwit::doctor
