// A file put in the place of another would leave its further names with the old content, so such a
// file is written through.
#include "port/rewrite.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/file.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

bool write_through(const fs::path& path, std::string_view content) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  std::error_code code;
  if (file) fs::resize_file(path, content.size(), code);
  return file && !code;
}

}  // namespace

Status rewrite(const fs::path& path, std::string_view before, std::string_view after) {
  std::error_code code;
  if (const auto names = fs::hard_link_count(path, code); code || names < 2)
    return write_file(path, after);
  if (write_through(path, after)) return {};
  const std::string reason = std::strerror(errno);
  write_through(path, before);  // the blocks of the old content are still the file's own
  return fail("E005", {.file = show_path(path)}, {{"path", show_path(path)}, {"reason", reason}});
}

}  // namespace godwit::port
