// Files, variables and programs of this machine or of a copied tree.
#include "doctor/machine.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

namespace godwit::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestRecord = std::uint64_t{4} << 20;
constexpr std::chrono::milliseconds kPatience{10000};  // npu-smi may take a second per card
constexpr int kMostLinks = 40;
constexpr std::size_t kMostNames = 20000;

}  // namespace

Machine Machine::here() {
  Machine machine;
  machine.is_here_ = true;
  machine.knows_variables_ = true;
  return machine;
}

Machine Machine::copy(const fs::path& root) {
  Machine machine;
  machine.root_ = root;
  const auto lines = machine.output({"env"});
  machine.knows_variables_ = lines.has_value();
  const std::string text = lines.value_or("");
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    machine.variables_.emplace(line.substr(0, equals), trim(line.substr(equals + 1)));
  }
  return machine;
}

// Walks part by part, so that a link of a copied tree never leads to a file of this machine.
std::optional<fs::path> Machine::locate(std::string_view path) const {
  if (is_here_) return fs::path(path);
  std::vector<std::string> left;  // parts still to walk, the next one last
  const auto put = [&](const std::string& text) {
    const auto parts = split(text, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) left.emplace_back(*part);
  };
  put(std::string(path));
  fs::path done;  // below root_
  for (int links = 0; !left.empty();) {
    const std::string part = left.back();
    left.pop_back();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      done = done.parent_path();
      continue;
    }
    std::error_code code;
    const fs::path target = fs::read_symlink(root_ / done / part, code);
    if (code) {
      done /= part;
      continue;
    }
    if (++links > kMostLinks) return std::nullopt;
    if (target.is_absolute()) done.clear();
    put(target.generic_string());
  }
  return root_ / done;
}

std::optional<std::string> Machine::read(std::string_view path) const {
  const auto place = locate(path);
  if (!place) return std::nullopt;
  const auto text = read_file(*place, kLargestRecord);
  return text ? std::optional(to_valid_utf8(*text)) : std::nullopt;
}

std::vector<std::string> Machine::list(std::string_view folder) const {
  std::vector<std::string> names;
  const auto place = locate(folder);
  if (!place) return names;
  std::error_code code;
  fs::directory_iterator at(*place, code);
  for (; !code && at != fs::directory_iterator() && names.size() < kMostNames; at.increment(code)) {
    names.push_back(to_valid_utf8(at->path().filename().string()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool Machine::is_folder(std::string_view path) const {
  const auto place = locate(path);
  std::error_code code;
  return place && fs::is_directory(*place, code);
}

std::string Machine::real_path(std::string_view path) const {
  const auto place = locate(path);
  if (!place) return {};
  std::error_code code;
  const fs::path real = fs::canonical(*place, code);
  if (code) return {};
  if (is_here_) return real.string();
  const fs::path inside = real.lexically_relative(fs::canonical(root_, code));
  return "/" + inside.generic_string();
}

std::optional<std::string> Machine::output(const std::vector<std::string>& command) const {
  if (!is_here_) return read("/commands/" + replace_all(join(command, " "), "/", "_"));
  auto finished = run_program(command, kPatience);
  return finished ? std::optional(to_valid_utf8(finished->output)) : std::nullopt;
}

std::string Machine::variable(std::string_view name) const {
  if (!is_here_) {
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::string() : found->second;
  }
  const char* const value = std::getenv(std::string(name).c_str());
  return value ? std::string(value) : std::string();
}

std::string Machine::home() const {
  const std::string home = variable("HOME");
  return home.empty() ? "/root" : home;
}

std::string value_of(std::string_view text, std::string_view key, char separator) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos || !equals_ignoring_case(trim(line.substr(0, at)), key))
      continue;
    std::string_view value = trim(line.substr(at + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
        value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    }
    return std::string(value);
  }
  return {};
}

}  // namespace godwit::doctor
