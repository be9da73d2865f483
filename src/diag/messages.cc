// Message tables: one TOML file per code letter and one for the interface, read when first used.
#include "diag/messages.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/json.h"
#include "base/resources.h"
#include "base/text.h"

namespace godwit::diag {
namespace {

std::atomic<Language> g_language{Language::kEnglish};

bool is_code(std::string_view word) {
  return word.size() == 4 && word[0] >= 'A' && word[0] <= 'Z' &&
         word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

std::string file_of(Language language, std::string_view stem) {
  return format("messages/{}/{}.toml", language == Language::kChinese ? "zh" : "en", stem);
}

// A table that cannot be read is a gap that shows as raw keys; `--data` users see why on stderr.
Json load(const std::string& file) {
  const auto content = resource(file);
  if (!content) return Json::object();
  auto parsed = parse_toml(*content, file);
  if (parsed) return *std::move(parsed);
  std::fprintf(stderr, "%s:%u: %s\n", file.c_str(), parsed.error().place.line,
               parsed.error().args.empty() ? "" : parsed.error().args[0].second.c_str());
  return Json::object();
}

const Json& table(Language language, std::string_view stem) {
  static std::mutex mutex;
  static std::map<std::string, Json> loaded;
  const std::lock_guard lock(mutex);
  const std::string file = file_of(language, stem);
  const auto found = loaded.find(file);
  return found != loaded.end() ? found->second : loaded.emplace(file, load(file)).first->second;
}

const Json* find(Language language, std::string_view key) {
  const std::string_view head = key.substr(0, key.find('.'));
  const Json* at = &table(language, is_code(head) ? head.substr(0, 1) : std::string_view("ui"));
  for (const std::string_view step : split(key, '.')) at = &(*at)[step];
  return at->is_string() ? at : nullptr;
}

}  // namespace

Result<Language> choose_language(std::string_view choice) {
  if (choice == "zh") return Language::kChinese;
  if (choice == "en") return Language::kEnglish;
  if (!choice.empty()) return fail("E020", {}, {{"found", std::string(choice)}});
  for (const char* const name : {"GODWIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return std::string_view(value).starts_with("zh") ? Language::kChinese : Language::kEnglish;
  }
  return Language::kEnglish;
}

void set_language(Language language) { g_language = language; }
Language language() { return g_language; }

std::string text(std::string_view key, const Args& args) {
  const Json* const found = find(language(), key);
  return found ? fill(found->string(), args) : std::string(key);
}

bool has_text(std::string_view key) { return find(language(), key) != nullptr; }

std::vector<std::string> known_codes() {
  std::vector<std::string> codes;
  for (const std::string& name : resource_names("messages/en/")) {
    const std::string stem = name.substr(12, name.size() - 17);
    if (stem.size() != 1) continue;
    for (const auto& [code, _] : table(Language::kEnglish, stem).members()) codes.push_back(code);
  }
  return codes;
}

}  // namespace godwit::diag
