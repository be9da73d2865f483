// Edits change what they name and nothing else; diffs are what git apply and patch take.
#include "syntax/edit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <random>

#include "base/file.h"
#include "base/process.h"

namespace godwit::syntax {
namespace {

namespace fs = std::filesystem;

TEST(Apply, LeavesEveryOtherByte) {
  const std::string text = "import torch\r\nx.cuda()\r\n\tlast";
  const auto result = apply(text, {{.begin = 16, .end = 20, .text = "npu"},
                                   {.begin = 12, .end = 12, .text = "\r\nimport torch_npu"}});
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "import torch\r\nimport torch_npu\r\nx.npu()\r\n\tlast");
}

TEST(Apply, KeepsTheOrderOfInsertionsAndDropsRepeatedOnes) {
  const auto result = apply("ab", {{1, 1, "1"}, {1, 1, "2"}, {1, 1, "1"}});
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "a12b");
}

TEST(Apply, RefusesOverlapAndOutside) {
  EXPECT_EQ(apply("abcdef", {{0, 3, "x"}, {2, 4, "y"}}).error().code, "E063");
  EXPECT_EQ(apply("abc", {{2, 4, "x"}}).error().code, "E064");
  EXPECT_EQ(apply("abc", {{2, 1, "x"}}).error().code, "E064");
  EXPECT_TRUE(apply("abcdef", {{0, 3, "x"}, {3, 4, "y"}}));
}

TEST(UnifiedDiff, ShowsThreeLinesAndTheMissingNewline) {
  EXPECT_EQ(unified_diff("a.py", "1\n2\n3\n4\n5\n6", "a.py", "1\n2\n3\n4\n5\n7"),
            "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -3,4 +3,4 @@\n 3\n 4\n 5\n-6\n"
            "\\ No newline at end of file\n+7\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("a.py", "same\n", "a.py", "same\n"), "");
}

class Applied : public testing::Test {
 protected:
  Applied() : folder_(fs::temp_directory_path() / ("godwit_diff_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Applied() override { fs::remove_all(folder_); }

  // What a tool makes of the old text and our diff; its message when it refuses.
  std::string apply_with(std::vector<std::string> tool, const std::string& name,
                         const std::optional<std::string>& before, const std::string& diff) {
    const fs::path file = folder_ / name;
    fs::remove(file);
    if (before) {
      EXPECT_TRUE(write_file(file, *before));
    }
    EXPECT_TRUE(write_file(folder_ / "change.diff", diff));
    const fs::path here = fs::current_path();
    fs::current_path(folder_);
    const auto done = run_program(tool, std::chrono::seconds(20));
    fs::current_path(here);
    if (!done) return "not run: " + done.error().code;
    if (done->exit_code != 0) return "refused: " + done->output + diff;
    return read_file(file).value_or("(gone)");
  }

  std::string git(const std::string& name, const std::optional<std::string>& before,
                  const std::string& diff) {
    return apply_with({"git", "apply", "--whitespace=nowarn", "change.diff"}, name, before, diff);
  }

  fs::path folder_;
};

TEST_F(Applied, GitTakesNewGoneAndOddlyNamedFiles) {
  const std::string text = "one\r\ntwo\nthree";
  EXPECT_EQ(git("n.py", std::nullopt, unified_diff("", "", "n.py", text)), text);
  EXPECT_EQ(git("e.py", std::nullopt, unified_diff("", "", "e.py", "")), "");
  EXPECT_EQ(git("g.py", text, unified_diff("g.py", text, "", "")), "(gone)");
  for (const std::string name : {"with blank.py", "quo\"te.py", "文件.py", "tab\tname.py"}) {
    EXPECT_EQ(git(name, text, unified_diff(name, text, name, "one\n")), "one\n");
  }
}

TEST_F(Applied, RandomChangesAreTakenAsTheyAre) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t below) { return random() % below; };
  for (int round = 0; round < 60; ++round) {
    std::string before;
    std::string after;
    const std::size_t lines = pick(40);
    for (std::size_t i = 0; i < lines; ++i) {
      const std::string line =
          std::string(1, static_cast<char>('a' + pick(4))) + (pick(5) == 0 ? "\r\n" : "\n");
      if (pick(6) != 0) before += line;
      if (pick(6) != 0) after += line;
      if (pick(8) == 0) after += "new\n";
    }
    if (pick(2) == 0) before += "no end";
    if (pick(2) == 0) after += pick(2) == 0 ? "no end" : "no end\n";
    if (before == after) continue;
    const std::string diff = unified_diff("r.py", before, "r.py", after);
    EXPECT_EQ(git("r.py", before, diff), after) << diff;
    EXPECT_EQ(
        apply_with({"patch", "-p1", "--binary", "-s", "-i", "change.diff"}, "r.py", before, diff),
        after);
  }
}

TEST(UnifiedDiff, StaysQuickWhenNothingIsEqual) {
  std::string before;
  std::string after;
  for (int i = 0; i < 20000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_GT(unified_diff("x", before, "x", after).size(), before.size());
}

}  // namespace
}  // namespace godwit::syntax
