// What the plan leaves on the disk: copies, edits in place, and the way back.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "port/port.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirst = "import torch\n\nnet = torch.nn.Linear(2, 2).cuda()\n";
constexpr std::string_view kBranch =
    "if torch.cuda.is_available():\n    torch.cuda.empty_cache()\n";

class PortWrite : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(project_); }
  void TearDown() override { fs::remove_all(base_); }

  static void put(const fs::path& path, std::string_view content) {
    EXPECT_TRUE(write_file(path, content));
  }
  static std::string get(const fs::path& path) { return read_file(path).value_or("missing"); }

  static Plan make(const fs::path& root) {
    auto made = plan(root, {});
    EXPECT_TRUE(made) << diag::render(made.error());
    return made ? *std::move(made) : Plan{};
  }

  const fs::path base_ = fs::temp_directory_path() / format("godwit_write_{}", ::getpid());
  const fs::path project_ = base_ / "project", out_ = base_ / "made" / "out";
};

TEST_F(PortWrite, PortsWhatIsNewInItsOwnPort) {
  put(project_ / "a.py", format("{}{}", kFirst, kBranch));
  ASSERT_TRUE(write_in_place(make(project_)));
  EXPECT_TRUE(make(project_).files.empty());
  put(project_ / "a.py", get(project_ / "a.py") + "torch.cuda.synchronize()\n");
  const Plan again = make(project_);
  ASSERT_EQ(again.files.size(), 1U);
  EXPECT_TRUE(again.files[0].after.ends_with("torch.npu.synchronize()\n"));
  EXPECT_EQ(again.files[0].changes.size(), 1U);
}

TEST_F(PortWrite, PortsWhatIsNewInACopyToo) {
  put(project_ / "a.py", format("{}{}", kFirst, kBranch));
  Plan first = make(project_);
  ASSERT_TRUE(write(first, out_));
  EXPECT_TRUE(make(out_).files.empty());
  put(out_ / "a.py", get(out_ / "a.py") + "torch.cuda.synchronize()\n");
  EXPECT_EQ(make(out_).files.size(), 1U);
}

TEST_F(PortWrite, LeavesABranchThatAPersonWroteIntoThePort) {
  put(project_ / "a.py", format("{}{}", kFirst, kBranch));
  ASSERT_TRUE(write_in_place(make(project_)));
  put(project_ / "a.py", get(project_ / "a.py") +
                             "def pick():\n    if torch.npu.is_available():\n        return 1\n"
                             "    return torch.cuda.device_count()\n");
  const Plan again = make(project_);
  EXPECT_TRUE(again.files.empty());
  ASSERT_EQ(again.findings.size(), 1U);
  EXPECT_EQ(again.findings[0].code, "P020");
}

TEST_F(PortWrite, TakesBackFilesWhoseNamesAreNoUtf8) {
  const fs::path file = project_ / "\xC4\xE3.py";
  put(file, kFirst);
  ASSERT_TRUE(write_in_place(make(project_)));
  EXPECT_NE(get(file), kFirst);
  const auto undone = undo(project_);
  ASSERT_TRUE(undone) << diag::render(undone.error());
  EXPECT_EQ(get(file), kFirst);
}

TEST_F(PortWrite, CopiesTheRestWhenAFileCannotBeRead) {
  put(project_ / "a.py", kFirst);
  put(project_ / "data.bin", "x");
  Plan made = make(project_);
  fs::remove(project_ / "data.bin");
  ASSERT_TRUE(write(made, out_));
  EXPECT_NE(get(out_ / "a.py"), kFirst);
  ASSERT_EQ(made.findings.size(), 1U);
  EXPECT_EQ(made.findings[0].code, "P034");
  EXPECT_EQ(made.findings[0].place.file, "data.bin");
  EXPECT_EQ(made.summary.left, 1U);
}

TEST_F(PortWrite, LeavesNoHalfACopy) {
  put(project_ / "a.py", kFirst);
  put(project_ / "b.py", kFirst);
  Plan made = make(project_);
  made.files[1].path = "a.py/b.py";  // a name that no file can have once a.py is one
  made.listing[1].path = "a.py/b.py";
  EXPECT_FALSE(write(made, out_));
  EXPECT_FALSE(fs::exists(out_.parent_path()));
  fs::create_directories(out_);
  EXPECT_FALSE(write(made, out_));
  EXPECT_TRUE(fs::is_empty(out_));
}

TEST_F(PortWrite, KeepsModeOwnerAndOtherNames) {
  put(project_ / "a.py", kFirst);
  put(project_ / "b.py", kFirst);
  fs::create_hard_link(project_ / "b.py", base_ / "other.py");
  ASSERT_EQ(::chmod((project_ / "a.py").c_str(), 0750), 0);
  const bool may_give = ::chown((project_ / "a.py").c_str(), 12, 34) == 0;  // root only
  struct stat old {};
  ASSERT_EQ(::stat((project_ / "a.py").c_str(), &old), 0);
  EXPECT_EQ(old.st_uid == 12, may_give);
  ASSERT_TRUE(write_in_place(make(project_)));
  struct stat now {};
  ASSERT_EQ(::stat((project_ / "a.py").c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777, 0750U);
  EXPECT_EQ(now.st_uid, old.st_uid);
  EXPECT_EQ(now.st_gid, old.st_gid);
  EXPECT_NE(get(base_ / "other.py"), kFirst);
  ASSERT_TRUE(undo(project_));
  EXPECT_EQ(get(base_ / "other.py"), kFirst);
}

}  // namespace
}  // namespace godwit::port
