// Reading godwit.toml.
#include "project/settings.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

namespace godwit::project {
namespace {

struct Key {
  std::string_view name;
  std::string Settings::*text = nullptr;
  std::vector<std::string> Settings::*list = nullptr;
};

const std::vector<Key>& keys() {
  static const std::vector<Key> kKeys = {
      {"target", &Settings::target},          {"mode", &Settings::mode},
      {"torch_npu", &Settings::torch_npu},    {"select", nullptr, &Settings::select},
      {"ignore", nullptr, &Settings::ignore}, {"exclude", nullptr, &Settings::exclude},
  };
  return kKeys;
}

tl::unexpected<Error> wrong_type(const std::string& file, std::string_view key,
                                 std::string_view wanted) {
  return fail("E077", {.file = file}, {{"key", std::string(key)}, {"wanted", std::string(wanted)}});
}

Status take(const Key& key, const Json& value, const std::string& file, Settings& settings) {
  if (key.text != nullptr) {
    if (!value.is_string()) return wrong_type(file, key.name, "\"text\"");
    settings.*key.text = value.string();
    return {};
  }
  if (!value.is_array()) return wrong_type(file, key.name, "[\"text\", \"text\"]");
  for (const Json& item : value.items()) {
    if (!item.is_string()) return wrong_type(file, key.name, "[\"text\", \"text\"]");
    (settings.*key.list).emplace_back(item.string());
  }
  return {};
}

tl::unexpected<Error> unknown_key(const std::string& file, std::string_view key) {
  std::vector<std::string> names;
  for (const Key& each : keys()) names.emplace_back(each.name);
  const std::vector<std::string> close = nearest(key, names);
  return fail("E076", {.file = file},
              {{"key", std::string(key)}, {"nearest", join(close.empty() ? names : close, ", ")}});
}

}  // namespace

Result<Settings> read_settings(const std::filesystem::path& path) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  const std::filesystem::path file = (folder ? path : path.parent_path()) / "godwit.toml";
  Settings settings;
  if (!std::filesystem::exists(file, error)) return settings;
  settings.file = file;
  const std::string name = show_path(file);
  ASSIGN(const std::string text, read_file(file, std::uint64_t{1} << 20));
  ASSIGN(const Json document, parse_toml(text, name));
  for (const auto& [key, value] : document.members()) {
    const Key* known = nullptr;
    for (const Key& each : keys()) {
      if (each.name == key) known = &each;
    }
    if (known == nullptr) return unknown_key(name, key);
    TRY(take(*known, value, name, settings));
  }
  return settings;
}

}  // namespace godwit::project
