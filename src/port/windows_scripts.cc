// Words are looked for without regard to case, remarks are left out.
#include "port/windows_scripts.h"

#include "base/file.h"
#include "base/text.h"

namespace godwit::port {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

bool is_windows_script(std::string_view path) {
  const std::string lower = to_lower(path);
  return lower.ends_with(".bat") || lower.ends_with(".cmd") || lower.ends_with(".ps1");
}

bool names_cuda(std::string_view line) {
  const std::string lower = to_lower(trim(line));
  if (lower.starts_with("rem ") || lower.starts_with("::") || lower.starts_with('#')) return false;
  return contains(lower, "cuda") || contains(lower, "nccl") || contains(lower, "nvidia");
}

}  // namespace

void add_windows_scripts(const project::Listing& listing, std::vector<diag::Finding>& left) {
  for (const project::File& file : listing.files) {
    if (!is_windows_script(file.path) || file.bytes > kMostBytes) continue;
    const Result<std::string> text = read_file(listing.root / file.path);
    if (!text) continue;
    std::uint32_t number = 0;
    for (const std::string_view line : split(*text, '\n')) {
      ++number;
      if (!names_cuda(line)) continue;
      left.push_back({.code = "P062",
                      .severity = diag::Severity::kWarning,
                      .place = {.file = show_path(file.path), .line = number, .column = 1},
                      .variant = "left",
                      .snippet = to_valid_utf8(trim(line))});
    }
  }
}

}  // namespace godwit::port
