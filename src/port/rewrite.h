// Rewrite: a source file with new content, and everything else about it as it was.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace godwit::port {

/// Replaces `before`, the whole content of the file, by `after`. Mode and owner stay as far as the
/// system allows, and a file with several names has the new content under all of them.
/// Errors: E005; the file is then as it was.
Status rewrite(const std::filesystem::path& path, std::string_view before, std::string_view after);

}  // namespace godwit::port
