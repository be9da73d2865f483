// Runs tests/cases/scan/S1*.md: models in text with the findings that their lines must give, and no
// others of the code that the file is about.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/file.h"
#include "blocks.h"
#include "diag/finding.h"
#include "onnx_text.h"
#include "scan/onnx.h"

namespace godwit::scan {
namespace {

namespace fs = std::filesystem;
using Marks = std::set<std::string>;  // "S101 y" of a node, "S130" of the model

std::string_view option(std::string_view info, std::string_view name, std::string_view fallback) {
  for (const std::string_view word : split_list(info, ' ')) {
    if (word.starts_with(name) && word.substr(name.size()).starts_with("=")) {
      return word.substr(name.size() + 1);
    }
  }
  return fallback;
}

// The name that OnnxText gives to the node of a line; empty for other lines.
std::string node_of(std::string_view line) {
  const std::size_t named = line.find("name=\"");
  if (named != std::string_view::npos) {
    const std::string_view rest = line.substr(named + 6);
    return std::string(rest.substr(0, rest.find('"')));
  }
  constexpr std::string_view kOthers[] = {"input", "output", "value", "init",
                                          "opset", "ir",     "graph"};
  const std::string_view word = trim(line).substr(0, trim(line).find(' '));
  for (const std::string_view other : kOthers) {
    if (word == other) return {};
  }
  const std::size_t end = line.find_first_of(",=");
  return end == std::string_view::npos ? "" : std::string(trim(line.substr(0, end)));
}

Marks expected(std::string_view text) {
  Marks marks;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t at = line.find("# expect:");
    if (at == std::string_view::npos) continue;
    const std::string node = node_of(line.substr(0, at));
    for (const std::string_view code : split_list(line.substr(at + 9), ',')) {
      marks.insert(std::string(trim(code)) + (node.empty() ? "" : " " + node));
    }
  }
  return marks;
}

Marks found(const OnnxReport& report) {
  Marks marks;
  for (const diag::Finding& finding : report.findings) {
    const auto& nodes = finding.properties["nodes"].items();
    if (nodes.empty()) marks.insert(finding.code);
    for (const Json& node : nodes) marks.insert(finding.code + " " + std::string(node.string()));
    EXPECT_FALSE(finding.message().empty()) << finding.code;
    EXPECT_EQ(finding.message().find('{'), std::string::npos) << finding.message();
    EXPECT_EQ(finding.remedy().find('{'), std::string::npos) << finding.remedy();
    EXPECT_EQ(finding.title().find('{'), std::string::npos) << finding.title();
  }
  return marks;
}

void check(const tests::Block& block, std::string_view code, const fs::path& folder) {
  const std::string bytes = tests::OnnxText::to_bytes(block.content);
  const fs::path path = folder / "model.onnx";
  ASSERT_TRUE(write_file(path, bytes));
  const auto target = facts::resolve_target(option(block.info, "to", "ascend310p"));
  ASSERT_TRUE(target);
  const auto report =
      scan_onnx(path, *target, {.cann = std::string(option(block.info, "cann", ""))});
  ASSERT_TRUE(report) << diag::render(report.error());
  const Marks want = expected(block.content), have = found(*report);
  for (const std::string& mark : want) EXPECT_TRUE(have.count(mark)) << "not found: " << mark;
  for (const std::string& mark : have) {
    EXPECT_TRUE(!mark.starts_with(code) || want.count(mark)) << "found, not expected: " << mark;
  }
  const OnnxFigures& f = report->figures;
  EXPECT_EQ(f.nodes, f.direct + f.custom_kernel + f.decompose + f.unsupported + f.unknown);
}

TEST(OnnxCases, EveryModelGivesItsFindings) {
  std::string name = (fs::temp_directory_path() / "godwit-cases-XXXXXX").string();
  ASSERT_TRUE(::mkdtemp(name.data()));
  std::size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(GODWIT_ROOT "/tests/cases/scan")) {
    const std::string stem = entry.path().stem().string();
    for (const tests::Block& block : tests::read_blocks(entry.path().string())) {
      if (!block.info.starts_with("onnx")) continue;
      SCOPED_TRACE(format("{}:{} {}", stem, block.line, block.heading));
      check(block, std::string_view(stem).substr(0, 4), name);
      ++cases;
    }
  }
  fs::remove_all(name);
  EXPECT_GT(cases, 60u);
}

// Every rule has a case file, so that none is without a model that it must find and one that it
// must not.
TEST(OnnxCases, EveryRuleHasItsFile) {
  std::set<std::string> cases;
  for (const auto& entry : fs::directory_iterator(GODWIT_ROOT "/tests/cases/scan")) {
    cases.insert(entry.path().stem().string());
  }
  for (const auto& entry : fs::directory_iterator(GODWIT_ROOT "/src/scan/nodes")) {
    EXPECT_TRUE(cases.count(entry.path().stem().string())) << entry.path();
  }
}

}  // namespace
}  // namespace godwit::scan
