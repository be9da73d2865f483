// The TOML form of a described environment: values by the names of kFields, [packages],
// [variables].
#include "doctor/description.h"

#include <algorithm>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "doctor/pin.h"

namespace godwit::doctor {
namespace {

constexpr std::uint64_t kLargestDescription = std::uint64_t{32} << 20;

// "310P3", or "310P3 Alarm" where the health is told too.
void add_npus(const Json& list, const std::string& source, Environment& environment) {
  environment.has_looked_for_npus = true;
  for (const Json& item : list.items()) {
    const auto words = split_list(item.string(), ' ');
    if (words.empty()) continue;
    environment.npus.push_back({.card = std::to_string(environment.npus.size()),
                                .chip = "0",
                                .name = std::string(words[0]),
                                .health = words.size() > 1 ? std::string(words[1]) : std::string(),
                                .source = source});
  }
}

// "310p" or "ascend310p"
void add_ops(const Json& list, const std::string& source, Environment& environment) {
  environment.has_all_ops = true;
  for (const Json& item : list.items()) {
    const std::string name = to_lower(item.string());
    environment.ops.push_back({name.starts_with("ascend") ? name : "ascend" + name, source});
  }
}

void add_packages(const Json& table, const std::string& source, Environment& environment) {
  for (const auto& [name, value] : table.members()) {
    if (name == "complete" && !value.is_string()) {
      environment.has_all_packages = value.boolean();
    } else {
      environment.packages.push_back({package_name(name), std::string(value.string()), source});
    }
  }
  std::stable_sort(environment.packages.begin(), environment.packages.end(),
                   [](const Package& a, const Package& b) { return a.name < b.name; });
}

void add_variables(const Json& table, Environment& environment) {
  environment.has_variables = true;
  for (const auto& [name, value] : table.members())
    environment.variables.emplace(name, value.string());
}

tl::unexpected<Error> unknown_entry(const std::string& key, std::string_view text,
                                    const std::string& file) {
  std::vector<std::string> known = {"npus", "gpus", "ops", "packages", "variables"};
  for (const auto& [name, _] : kFields) known.emplace_back(name);
  const auto near = nearest(key, known);
  return fail("E100", {.file = file, .line = line_of(text, key)},
              {{"found", key}, {"nearest", near.empty() ? join(known, ", ") : join(near, ", ")}});
}

Result<Environment> from_toml(std::string_view text, const std::string& file) {
  ASSIGN(const Json document, parse_toml(text, file));
  Environment environment;
  environment.is_described = true;
  for (const auto& [key, value] : document.members()) {
    const auto* const field = std::find_if(kFields.begin(), kFields.end(),
                                           [&](const Field& f) { return f.first == key; });
    if (field != kFields.end()) {
      (environment.*(field->second)).learn(value.string(), file);
    } else if (key == "npus") {
      add_npus(value, file, environment);
    } else if (key == "gpus") {
      for (const Json& gpu : value.items())
        environment.gpus.push_back({std::string(gpu.string()), ""});
    } else if (key == "ops") {
      add_ops(value, file, environment);
    } else if (key == "packages") {
      add_packages(value, file, environment);
    } else if (key == "variables") {
      add_variables(value, environment);
    } else {
      return unknown_entry(key, text, file);
    }
  }
  return environment;
}

}  // namespace

Result<Environment> read_description(const std::filesystem::path& path) {
  ASSIGN(const std::string text, read_file(path, kLargestDescription));
  const std::string file = show_path(path);
  const PinFormat* const format = find_pin_format(path.filename().string());
  if (!format) return from_toml(to_valid_utf8(text), file);
  ASSIGN(const std::vector<Pin> pins, format->read(to_valid_utf8(text), file));
  return describe(pins, format->is_complete);
}

}  // namespace godwit::doctor
