// Finding the files that pin versions, and what their formats share.
#include "doctor/pin.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "base/file.h"
#include "base/text.h"

namespace godwit::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestPins = std::uint64_t{32} << 20;  // large uv.lock files pass 10 MB

// requirements-dev.txt and the like say what developers need, not what runs.
bool is_for_developers(std::string_view file_name) {
  constexpr std::array<std::string_view, 5> kWords = {"dev", "test", "doc", "lint", "ci."};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return contains(file_name, word); });
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::directory_iterator at(folder, code); !code && at != fs::directory_iterator();
       at.increment(code)) {
    files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void add_file(const fs::path& path, const std::string& shown, std::vector<Pin>& pins) {
  const std::string name = path.filename().string();
  const PinFormat* const format = find_pin_format(name);
  if (!format || is_for_developers(to_lower(name))) return;
  const auto text = read_file(path, kLargestPins);
  if (!text) return;
  auto found = format->read(to_valid_utf8(*text), shown);
  if (found) std::move(found->begin(), found->end(), std::back_inserter(pins));
}

}  // namespace

const PinFormat* find_pin_format(std::string_view file_name) {
  const std::string name = to_lower(file_name);
  for (const PinFormat* const format : kPinFormats) {
    if (format->matches(name)) return format;
  }
  return nullptr;
}

std::vector<Pin> read_pins(const fs::path& project) {
  std::vector<Pin> pins;
  for (const fs::path& folder : {project, project / "requirements"}) {
    for (const fs::path& path : files_in(folder)) {
      add_file(path, show_path(path.lexically_relative(project)), pins);
    }
  }
  return pins;
}

Environment describe(const std::vector<Pin>& pins, bool is_complete) {
  Environment environment;
  environment.is_described = true;
  environment.has_all_packages = is_complete;
  for (const Pin& pin : pins) {
    const auto version = pin.range.pinned();
    if (!version) continue;
    const std::string source =
        pin.place.line ? format("{}:{}", pin.place.file, pin.place.line) : pin.place.file;
    if (pin.name == "python") {
      environment.python.learn(version->text(), source);
    } else {
      environment.packages.push_back({pin.name, version->text(), source});
    }
  }
  std::stable_sort(environment.packages.begin(), environment.packages.end(),
                   [](const Package& a, const Package& b) { return a.name < b.name; });
  return environment;
}

std::optional<Pin> read_requirement(std::string_view line) {
  if (const std::size_t comment = line.find(" #"); comment != std::string_view::npos)
    line = line.substr(0, comment);
  if (const std::size_t hash = line.find(" --"); hash != std::string_view::npos)
    line = line.substr(0, hash);
  line = trim(line);
  if (line.empty() || line.front() == '#' || line.front() == '-') return std::nullopt;
  if (contains(line, ";") || contains(line, "@") || contains(line, "/")) return std::nullopt;
  const std::size_t end = line.find_first_of("<>=!~[( ");
  const std::string_view name = line.substr(0, end);
  std::string_view rest = end == std::string_view::npos ? std::string_view() : line.substr(end);
  if (rest.starts_with('[')) rest = rest.substr(std::min(rest.size(), rest.find(']') + 1));
  std::string bare = replace_all(replace_all(rest, "(", ""), ")", "");
  auto range = Range::parse(bare);
  const bool is_name = !name.empty() && name.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_.") == std::string_view::npos;
  if (!range || !is_name) return std::nullopt;
  return Pin{package_name(name), *std::move(range), {}, std::string(line)};
}

std::uint32_t line_of(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (at == std::string_view::npos) return 0;
  return 1 + static_cast<std::uint32_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

void add_requirements(const Json& list, std::string_view text, const std::string& file,
                      std::vector<Pin>& pins) {
  for (const Json& item : list.items()) {
    auto pin = read_requirement(item.string());
    if (!pin) continue;
    pin->place = {.file = file, .line = line_of(text, item.string())};
    pins.push_back(*std::move(pin));
  }
}

void add_pin(std::string_view name, std::string_view range, Place place, std::vector<Pin>& pins) {
  auto parsed = Range::parse(range);
  if (parsed)
    pins.push_back(
        {package_name(name), *std::move(parsed), std::move(place), format("{} {}", name, range)});
}

}  // namespace godwit::doctor
