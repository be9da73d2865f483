// Messages: both languages say the same things with the same places to fill.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/json.h"
#include "base/resources.h"
#include "base/text.h"
#include "diag/finding.h"
#include "diag/messages.h"

namespace godwit::diag {
namespace {

using Texts = std::map<std::string, std::string>;

void collect(const Json& value, const std::string& prefix, Texts& texts) {
  for (const auto& [key, inner] : value.members()) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (inner.is_string()) texts[name] = inner.string();
    collect(inner, name, texts);
  }
}

Texts read_language(const std::string& language) {
  Texts texts;
  for (const std::string& name : resource_names(format("messages/{}/", language))) {
    const auto content = resource(name);
    const auto parsed = content ? parse_toml(*content, name) : Result<Json>(Json());
    EXPECT_TRUE(parsed) << name << " line " << (parsed ? 0 : parsed.error().place.line);
    if (parsed) collect(*parsed, "", texts);
  }
  return texts;
}

std::multiset<std::string> places(const std::string& text) {
  std::multiset<std::string> names;
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) break;
    names.insert(text.substr(at, end - at + 1));
    at = end;
  }
  return names;
}

TEST(MessageTables, HaveTheSameKeysAndPlacesInBothLanguages) {
  const Texts english = read_language("en");
  const Texts chinese = read_language("zh");
  ASSERT_FALSE(english.empty());
  for (const auto& [key, text] : english) {
    const auto twin = chinese.find(key);
    if (twin == chinese.end()) {
      ADD_FAILURE() << key << " has no Chinese text";
      continue;
    }
    const auto wanted = places(text), given = places(twin->second);
    const std::set<std::string> a(wanted.begin(), wanted.end()), b(given.begin(), given.end());
    EXPECT_EQ(a, b) << key;
  }
  for (const auto& [key, _] : chinese)
    EXPECT_TRUE(english.contains(key)) << key << " has no English text";
}

TEST(MessageTables, EveryFindingCodeSaysWhatItIsAndWhatToDo) {
  for (const std::string& code : known_codes()) {
    EXPECT_TRUE(has_text(code + ".title")) << code;
    if (code.front() == 'E') continue;
    EXPECT_TRUE(has_text(code + ".message")) << code;
    EXPECT_TRUE(has_text(code + ".explain")) << code;
  }
}

TEST(BareTexts, SayNothingOfWhatIsNotKnown) {
  Finding finding{.code = "S040",
                  .args = {{"library", "x"}, {"replacement", "y"}, {"needs", ""}, {"note", ""}},
                  .variant = "port"};
  EXPECT_EQ(finding.message(), "x has an Ascend port: y");
  finding.args[2].second = "1.0";
  EXPECT_EQ(finding.message(), "x has an Ascend port: y (needs 1.0)");
  finding.args[1].second.clear();
  finding.variant = "none";
  EXPECT_EQ(finding.message(), "x has no Ascend port, and nothing is known that comes near");
}

TEST(Language, ComesFromTheChoiceThenOurVariableThenTheLocale) {
  EXPECT_EQ(*choose_language("zh"), Language::kChinese);
  EXPECT_EQ(choose_language("fr").error().code, "E020");
  ::setenv("LC_ALL", "zh_CN.UTF-8", 1);
  EXPECT_EQ(*choose_language(""), Language::kChinese);
  EXPECT_EQ(*choose_language("en"), Language::kEnglish);
  ::setenv("GODWIT_LANG", "en", 1);
  EXPECT_EQ(*choose_language(""), Language::kEnglish);
  EXPECT_EQ(*choose_language("zh"), Language::kChinese);
  ::unsetenv("GODWIT_LANG");
  ::unsetenv("LC_ALL");
}

}  // namespace
}  // namespace godwit::diag
