// Resources: the files of data/ that the binary carries, each unpacked when first asked for.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit {

/// A folder whose files win over the carried ones, member by member (`--data DIR`). Set once,
/// before the first read. Errors: E007 not a folder, E017 it holds none of the files.
Status override_resources(const std::filesystem::path& folder);

/// Content of data/`name` (for example "ops/kernels.tsv"). Errors: E008 no such member, E009 the
/// carried archive is damaged (a bug of the build).
Result<std::string> resource(std::string_view name);

/// SHA-256 over all members as they are read now: the carried archive and the override folder.
std::string resources_digest();

/// Names of the members that start with `prefix`, sorted.
std::vector<std::string> resource_names(std::string_view prefix);

}  // namespace godwit
