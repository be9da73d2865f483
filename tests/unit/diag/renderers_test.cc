// Every renderer on one hostile outcome, against tests/cases/diag/renderers.md; with GODWIT_BLESS
// set the file is written anew, to be read before it is committed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/markup.h"
#include "base/resources.h"
#include "blocks.h"
#include "diag/counts.h"
#include "diag/document.h"
#include "diag/messages.h"
#include "diag/renderer.h"

namespace godwit::diag {
namespace {

const std::string kCases = GODWIT_ROOT "/tests/cases/diag";

std::vector<std::string> strings(const Json& array) {
  std::vector<std::string> out;
  for (const Json& item : array.items()) out.emplace_back(item.string());
  return out;
}

Outcome read_outcome(const std::string& text) {
  const auto json = parse_json(text, "outcome");
  Outcome out;
  if (!json) return out;
  out.command = (*json)["command"].string();
  for (const Json& finding : (*json)["findings"].items())
    out.findings.push_back(to_finding(finding));
  out.summary = (*json)["summary"];
  for (const Json& section : (*json)["sections"].items()) {
    Section& to = out.sections.emplace_back();
    to.title = section["title"].string();
    to.columns = strings(section["columns"]);
    for (const Json& row : section["rows"].items()) to.rows.push_back(strings(row));
    to.lines = strings(section["lines"]);
  }
  return out;
}

class Renderers : public testing::Test {
 protected:
  // The made-up texts are loaded while the override holds; then the real data is back.
  void SetUp() override {
    ASSERT_TRUE(override_resources(kCases + "/data"));
    for (const Language each : {Language::kEnglish, Language::kChinese}) {
      set_language(each);
      ASSERT_TRUE(has_text("X001.title"));
    }
    ASSERT_TRUE(override_resources(GODWIT_ROOT "/data"));
  }
  void TearDown() override { set_language(Language::kEnglish); }
};

std::string render(const Outcome& outcome, const std::string& info) {
  set_language(info.ends_with("zh") ? Language::kChinese : Language::kEnglish);
  const auto renderer = find_renderer(info.substr(0, info.find(' ')));
  return renderer ? (*renderer)->render(outcome, {.width = 80}) : "no such renderer";
}

// What changes with each release must not change the cases.
std::string without_version(const std::string& text) {
  return replace_all(text, format("\"{}\"", "0.1.0"), "\"VERSION\"");
}

TEST_F(Renderers, MatchTheirCases) {
  const std::string path = kCases + "/renderers.md";
  const auto blocks = tests::read_blocks(path);
  ASSERT_GT(blocks.size(), 5u);
  const Outcome outcome = read_outcome(blocks[0].content);
  std::string file = *read_file(path);
  for (const tests::Block& block : blocks) {
    if (block.info == "json outcome") continue;
    const std::string made = without_version(render(outcome, block.info));
    if (std::getenv("GODWIT_BLESS")) {
      file = replace_all(file, "```" + block.info + "\n" + block.content + "```\n",
                         "```" + block.info + "\n" + made + "```\n");
    } else {
      EXPECT_EQ(made, block.content) << path << ":" << block.line;
    }
  }
  if (std::getenv("GODWIT_BLESS") != nullptr) {
    EXPECT_TRUE(write_file(path, file));
  }
}

TEST_F(Renderers, EmptyOutcomesAreValid) {
  const Outcome empty{.command = "scan"};
  EXPECT_NE(render(empty, "junit en").find("tests=\"1\" failures=\"0\""), std::string::npos);
  EXPECT_EQ(render(empty, "github en"), "");
  EXPECT_NE(render(empty, "sarif en").find("\"results\": []"), std::string::npos);
}

TEST(Github, KeepsControlsOutOfTheLog) {
  Outcome outcome{.command = "scan"};
  outcome.findings.push_back({.code = "E006",
                              .place = {.file = "a\x1b[31m.py"},
                              .args = {{"path", "x\x07\x1b]0;y"}, {"folder", "z"}}});
  const std::string said = find_renderer("github").value()->render(outcome, {});
  EXPECT_EQ(said.find_first_of("\x07\x1b"), std::string::npos) << said;
}

TEST(Counts, AreOneDefinitionForAllForms) {
  Outcome outcome{.command = "scan"};
  const auto add = [&](Severity severity, const char* path, std::uint32_t count) {
    outcome.findings.push_back({.code = "P020",
                                .severity = severity,
                                .place = {.file = "a.py", .line = count},
                                .args = {{"count", path}},
                                .variant = "left",
                                .count = count});
  };
  add(Severity::kError, "x", 1);
  add(Severity::kError, "x", 4);
  add(Severity::kError, "y", 2);
  add(Severity::kNote, "x", 1);
  const Counts counts = count(outcome.findings);
  EXPECT_EQ(counts.kinds, (std::array<std::size_t, 3>{1, 0, 2}));
  EXPECT_EQ(counts.places, (std::array<std::size_t, 3>{1, 0, 7}));
  const Json findings = to_document(outcome)["summary"]["findings"];
  EXPECT_EQ(findings["errors"].integer(), 2);
  EXPECT_EQ(findings["places"]["errors"].integer(), 7);
  EXPECT_EQ(summary_of(outcome)["findings"], findings);
}

// Structure of data/schema/output.schema.json: required members, types, no others.
std::string misfit(const Json& schema, const Json& root, const Json& value, const std::string& at) {
  if (!schema["$ref"].string().empty()) {
    const Json& target = root["$defs"][schema["$ref"].string().substr(8)];
    return misfit(target, root, value, at);
  }
  const std::string_view type = schema["type"].string();
  const bool fits = type.empty() || (type == "object" && value.is_object()) ||
                    (type == "array" && value.is_array()) ||
                    (type == "string" && value.is_string()) ||
                    (type == "integer" && value.is_number());
  if (!fits) return at + " is not " + std::string(type);
  if (schema["minimum"].is_number() && value.number() < schema["minimum"].number())
    return at + " is too small";
  for (const Json& name : schema["required"].items()) {
    if (value[name.string()].is_null()) return at + " lacks " + std::string(name.string());
  }
  for (const auto& [name, member] : value.members()) {
    const Json& own = schema["properties"][name];
    if (own.is_null() && schema["additionalProperties"] == Json(false)) return at + " has " + name;
    if (const std::string bad = misfit(own, root, member, at + "." + name); !bad.empty())
      return bad;
  }
  for (const Json& item : value.items()) {
    if (const std::string bad = misfit(schema["items"], root, item, at + "[]"); !bad.empty())
      return bad;
  }
  return {};
}

TEST_F(Renderers, JsonFitsTheSchema) {
  const auto schema = parse_json(*resource("schema/output.schema.json"), "schema");
  ASSERT_TRUE(schema);
  const Outcome outcome = read_outcome(tests::read_blocks(kCases + "/renderers.md")[0].content);
  const auto document = parse_json(render(outcome, "json en"), "document");
  ASSERT_TRUE(document);
  EXPECT_EQ(misfit(*schema, *schema, *document, "document"), "");
}

TEST_F(Renderers, FindingsComeBackFromTheirDocuments) {
  const Outcome outcome = read_outcome(tests::read_blocks(kCases + "/renderers.md")[0].content);
  for (const Finding& finding : outcome.findings) {
    EXPECT_EQ(to_document(to_finding(to_document(finding))), to_document(finding));
  }
  EXPECT_EQ(to_finding(*parse_json(R"({"line": -4, "count": "x", "args": [1]})", "x")).place.line,
            0u);
}

TEST(Wrap, KeepsWordsAndPunctuationTogether) {
  const auto lines = wrap("只支持 float16 和 float32。（godwit explain X001）", 14);
  EXPECT_EQ(lines, (std::vector<std::string>{"只支持 float16", "和 float32。", "（godwit",
                                             "explain X001）"}));
  EXPECT_EQ(wrap("一二三。", 6), (std::vector<std::string>{"一二", "三。"}));
  EXPECT_EQ(wrap("averylongword", 5), (std::vector<std::string>{"avery", "longw", "ord"}));
  EXPECT_EQ(wrap("a b", 80), (std::vector<std::string>{"a b"}));
}

TEST(Markup, NothingHostileIsLeft) {
  EXPECT_EQ(escape_markup("<a href='x'>&\"</a>\r\n"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;\n");
  EXPECT_EQ(escape_markup(std::string_view("a\0b\x1b\xff", 5)),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(printable("a\x1b[31m\tb\xE2\x80\xAE"), "a\xEF\xBF\xBD[31m b\xEF\xBF\xBD");
  EXPECT_EQ(printable("迁移\n"), "迁移\n");
}

}  // namespace
}  // namespace godwit::diag
