// A newer upstream is ported anew, with what a person changed in the old port.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "port/port.h"
#include "syntax/merge.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

class PortReapply : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"old", "new"}) fs::create_directories(folder_ / name);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const std::string& path, const std::string& content) {
    ASSERT_TRUE(write_file(folder_ / path, content, Sync::kLater));
  }

  fs::path folder_ = fs::temp_directory_path() / format("godwit_reapply_{}", ::getpid());
};

const std::string kOld =
    "import torch\n\n\ndef run(x):\n    x = x.cuda()\n    return x\n\n\ndef end():\n"
    "    torch.cuda.synchronize()\n";

TEST_F(PortReapply, ChangesByHandGoIntoTheNewPort) {
  put("old/case.py", kOld);
  auto first = plan(folder_ / "old", {});
  ASSERT_TRUE(first);
  ASSERT_TRUE(write(*first, folder_ / "ported"));
  const auto ported = read_file(folder_ / "ported/case.py");
  ASSERT_TRUE(ported);
  put("ported/case.py", replace_all(*ported, "    return x\n", "    return x.contiguous()\n"));
  put("new/case.py", "import os\n" + kOld + "\n\ndef more():\n    torch.cuda.empty_cache()\n");

  auto again = reapply(folder_ / "ported", folder_ / "new", {});
  ASSERT_TRUE(again) << diag::render(again.error());
  EXPECT_EQ(again->reapplied.hand, 1u);
  EXPECT_EQ(again->reapplied.conflicts, 0u);
  EXPECT_EQ(again->reapplied.added, 1u);
  EXPECT_EQ(again->reapplied.gone, 0u);
  ASSERT_TRUE(write(*again, folder_ / "out"));
  EXPECT_EQ(*read_file(folder_ / "out/case.py"),
            "import os\nimport torch\nimport torch_npu\n\n\ndef run(x):\n    x = x.npu()\n"
            "    return x.contiguous()\n\n\ndef end():\n    torch.npu.synchronize()\n"
            "\n\ndef more():\n    torch.npu.empty_cache()\n");
}

TEST_F(PortReapply, WhatMeetsIsSaidAndTheUpstreamStays) {
  put("old/case.py", kOld);
  auto first = plan(folder_ / "old", {});
  ASSERT_TRUE(first && write(*first, folder_ / "ported"));
  const auto ported = read_file(folder_ / "ported/case.py");
  put("ported/case.py", replace_all(*ported, "    return x\n", "    return x.contiguous()\n"));
  put("new/case.py", replace_all(kOld, "    return x\n", "    return x + 1\n"));
  const auto again = reapply(folder_ / "ported", folder_ / "new", {});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->reapplied.conflicts, 1u);
  ASSERT_FALSE(again->findings.empty());
  EXPECT_EQ(again->findings.back().code, "P052");
  EXPECT_TRUE(contains(again->files[0].written(), "return x + 1"));
}

TEST_F(PortReapply, WithoutARecordThereIsNothingToReplay) {
  put("old/case.py", kOld);
  EXPECT_EQ(reapply(folder_ / "old", folder_ / "new", {}).error().code, "E114");
}

TEST(Merge, TakesOverWhatTouchesNothing) {
  const auto merged = syntax::merge("a\nb\nc\nd\n", "a\nB\nc\nd\n", "x\na\nb\nc\nD\n");
  EXPECT_EQ(merged.text, "x\na\nB\nc\nD\n");
  EXPECT_EQ(merged.taken, 1u);
  EXPECT_TRUE(syntax::merge("a\n", "b\n", "b\n").conflicts.empty());
  EXPECT_EQ(syntax::merge("a\n", "b\n", "c\n").conflicts.size(), 1u);
  EXPECT_EQ(syntax::merge("a\n", "b\n", "c\n").text, "c\n");
}

}  // namespace
}  // namespace godwit::port
