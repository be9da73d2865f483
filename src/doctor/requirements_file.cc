// Reads `component = "range"` lines, at the top level or in tables of any name.
#include "doctor/requirements_file.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"

namespace godwit::doctor {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;

// The line that starts with the key, quoted or not.
std::uint32_t key_line(std::string_view text, std::string_view key) {
  std::uint32_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    std::string_view start = trim(line);
    if (start.starts_with('"')) start.remove_prefix(1);
    if (!start.starts_with(key)) continue;
    const std::string_view rest = trim(start.substr(key.size()));
    if (rest.starts_with('=') || rest.starts_with('"')) return number;
  }
  return 0;
}

// NPU drivers count by year (25.2.0), NVIDIA's pass 100.
std::string meant_by(std::string_view name, std::string_view range) {
  const std::string plain = package_name(name);
  const std::size_t digit = range.find_first_of("0123456789");
  if (plain != "driver" || digit == std::string_view::npos) return plain;
  const std::size_t end = std::min(range.size(), range.find_first_not_of("0123456789", digit));
  return end - digit >= 3 ? "nvidia_driver" : plain;
}

Status add(const Json& table, std::string_view text, const std::string& file,
           std::vector<Pin>& pins) {
  for (const auto& [name, value] : table.members()) {
    if (value.is_object()) {
      TRY(add(value, text, file, pins));
      continue;
    }
    const Place place = {.file = file, .line = key_line(text, name)};
    auto range = Range::parse(value.string());
    if (!range || !value.is_string()) {
      return fail("E102", place, {{"component", name}, {"found", std::string(value.string())}});
    }
    pins.push_back({meant_by(name, value.string()), *std::move(range), place,
                    format("{} = \"{}\"", name, value.string())});
  }
  return {};
}

}  // namespace

Result<std::vector<Pin>> read_requirements_file(const std::filesystem::path& path) {
  ASSIGN(const std::string raw, read_file(path, kMostBytes));
  const std::string text = to_valid_utf8(raw);
  const std::string file = show_path(path);
  ASSIGN(const Json document, parse_toml(text, file));
  std::vector<Pin> pins;
  TRY(add(document, text, file, pins));
  std::stable_sort(pins.begin(), pins.end(),
                   [](const Pin& a, const Pin& b) { return a.place.line < b.place.line; });
  return pins;
}

}  // namespace godwit::doctor
