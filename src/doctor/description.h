// Description: an environment told by a file instead of read from a machine (`--env FILE`).
#pragma once

#include <filesystem>

#include "base/result.h"
#include "doctor/environment.h"

namespace godwit::doctor {

/// A TOML description of ours (docs: doctor), or a requirement or lock file, told apart by name.
/// Errors: E001…E004 and E013 of reading, E100 an entry that a description does not have.
Result<Environment> read_description(const std::filesystem::path& path);

}  // namespace godwit::doctor
