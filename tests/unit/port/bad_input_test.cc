// Trees that cannot be written, disks that are full, files that change meanwhile: nothing is lost
// and nothing is left half done.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "port/interrupts.h"
#include "port/port.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSource = "import torch\n\nnet = torch.nn.Linear(2, 2).cuda()\n";
constexpr uid_t kNobody = 65534;

class PortBadInput : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(project_); }
  void TearDown() override {
    if (is_mounted_) ::umount(base_.c_str());
    fs::remove_all(base_);
  }

  static void put(const fs::path& path, std::string_view content) {
    ASSERT_TRUE(write_file(path, content)) << path;
  }
  static std::string get(const fs::path& path) { return read_file(path).value_or("missing"); }

  static Plan make(const fs::path& root, Style style = Style::kNpu) {
    auto made = plan(root, {.style = style});
    EXPECT_TRUE(made) << diag::render(made.error());
    return made ? *std::move(made) : Plan{};
  }

  /// A disk of this size under base_; false where the test may not mount.
  bool mount_disk(const char* size) {
    is_mounted_ = ::mount("tmpfs", base_.c_str(), "tmpfs", 0, size) == 0;
    if (is_mounted_) fs::create_directories(project_);
    return is_mounted_;
  }

  const fs::path base_ = fs::temp_directory_path() / format("godwit_bad_input_{}", ::getpid());
  const fs::path project_ = base_ / "project", out_ = base_ / "out";
  bool is_mounted_ = false;
};

TEST_F(PortBadInput, AReadOnlyTreeIsCopiedAndNotEdited) {
  put(project_ / "a.py", kSource);
  put(project_ / "part" / "b.py", kSource);
  for (const fs::path& path : {project_ / "a.py", project_ / "part", project_})
    fs::permissions(path, fs::perms::owner_write, fs::perm_options::remove);
  Plan made = make(project_);
  ASSERT_TRUE(write(made, out_));
  EXPECT_NE(get(out_ / "part" / "b.py"), kSource);
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::seteuid(kNobody) == 0);
  const Status done = write_in_place(made);
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
  for (const fs::path& path : {project_, project_ / "part"})
    fs::permissions(path, fs::perms::owner_write, fs::perm_options::add);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "E005");
  EXPECT_EQ(get(project_ / "a.py"), kSource);
  EXPECT_FALSE(fs::exists(project_ / ".godwit"));
}

// Python finds a package by its name from its own files too: `import project.run` binds the root.
TEST_F(PortBadInput, APackageThatImportsItselfByNameIsUnderstood) {
  put(project_ / "a.py", "import torch\nimport project.run\n\nproject.run.go()\n");
  put(project_ / "run.py", "import torch\n\n\ndef go():\n    torch.zeros(1).cuda()\n");
  Plan made = make(project_);
  ASSERT_TRUE(write(made, out_));
  EXPECT_NE(get(out_ / "run.py").find("torch.zeros(1).npu()"), std::string::npos);
}

TEST_F(PortBadInput, AMethodCalledByAnotherNameHasNoReceiverAndIsPassedOver) {
  put(project_ / "a.py",
      "import torch\n\nnames = []\npush = names.append\npush('cuda')\n"
      "net = torch.nn.Linear(2, 2).cuda()\n");
  Plan made = make(project_);
  ASSERT_TRUE(write(made, out_));
  EXPECT_NE(get(out_ / "a.py").find(".npu()"), std::string::npos);
}

TEST_F(PortBadInput, AFileThatChangesMeanwhileStopsTheWholeRun) {
  put(project_ / "a.py", kSource);
  put(project_ / "b.py", kSource);
  const Plan made = make(project_);
  const std::string changed = std::string(kSource) + "print(net)\n";
  put(project_ / "b.py", changed);
  const Status done = write_in_place(made);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "E113");
  EXPECT_EQ(get(project_ / "a.py"), kSource);
  EXPECT_EQ(get(project_ / "b.py"), changed);
  EXPECT_FALSE(fs::exists(project_ / ".godwit"));
}

TEST_F(PortBadInput, AnEditThatFailsTakesTheOthersBack) {
  put(project_ / "a.py", kSource);
  put(project_ / "b.py", kSource);
  Plan made = make(project_);
  made.files.push_back({.path = "a.py/c.py", .after = "x = 1\n", .is_new = true});
  const Status done = write_in_place(made);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "E005");
  EXPECT_EQ(get(project_ / "a.py"), kSource);
  EXPECT_EQ(get(project_ / "b.py"), kSource);
  EXPECT_FALSE(fs::exists(project_ / ".godwit"));
}

TEST_F(PortBadInput, AFullDiskLosesNothing) {
  if (!mount_disk("size=256k")) GTEST_SKIP() << "may not mount";
  const std::string big = std::string(kSource) + "# " + std::string(40'000, 'x') + "\n";
  for (const char* const name : {"a.py", "b.py"}) put(project_ / name, big);
  Plan made = make(project_);
  // A copy of 80 kB has room for one file; an edit in place for the record, or not even that.
  put(base_ / "ballast", std::string(100'000, 'x'));
  const Status copied = write(made, out_);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, "E039");
  EXPECT_FALSE(fs::exists(out_));
  EXPECT_FALSE(write_in_place(made));
  EXPECT_EQ(get(project_ / "a.py"), big);
  EXPECT_EQ(get(project_ / "b.py"), big);
  EXPECT_FALSE(fs::exists(project_ / ".godwit" / "port.json"));
  fs::remove(base_ / "ballast");
  EXPECT_TRUE(write_in_place(made));
  EXPECT_NE(get(project_ / "b.py"), big);
}

TEST_F(PortBadInput, AFileThatIsOnlyCopiedFindsTheDiskFullToo) {
  if (!mount_disk("size=256k")) GTEST_SKIP() << "may not mount";
  put(project_ / "a.py", kSource);
  put(project_ / "weights.bin", std::string(150'000, 'x'));
  Plan made = make(project_);
  const Status copied = write(made, out_);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, "E039");
  EXPECT_FALSE(fs::exists(out_));
}

// The signal comes while files are written: what is written is taken back, then it does its work.
TEST_F(PortBadInput, AnInterruptedRunTakesBackWhatItWrote) {
  put(project_ / "a.py", kSource);
  put(project_ / "b.py", kSource);
  Plan made = make(project_);
  for (const bool in_place : {false, true}) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGINT, SIG_DFL);  // a shell lets what it starts in the background ignore it
      {
        const Interrupts first;
        ::raise(SIGINT);
        // The inner one finds the signal of the outer one handled and leaves it alone.
        const Status done = in_place ? write_in_place(made) : write(made, out_);
        if (done || done.error().code != "E129") ::_exit(3);
      }
      ::_exit(4);  // never: the signal ends the process
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
    EXPECT_FALSE(fs::exists(out_));
    EXPECT_EQ(get(project_ / "a.py"), kSource);
    EXPECT_EQ(get(project_ / "b.py"), kSource);
    EXPECT_FALSE(fs::exists(project_ / ".godwit"));
  }
}

// Two files of the project have the names of helpers: both stay, and the helper takes another.
TEST_F(PortBadInput, HelpersTakeAFreeName) {
  put(project_ / "godwit_device.py", "mine = 1\n");
  put(project_ / "godwit_device_2.py", "mine = 2\n");
  put(project_ / "a.py", kSource);
  Plan made = make(project_, Style::kPortable);
  ASSERT_TRUE(write(made, out_));
  EXPECT_EQ(get(out_ / "godwit_device.py"), "mine = 1\n");
  EXPECT_TRUE(contains(get(out_ / "a.py"), "import godwit_device_3 as godwit_device") ||
              contains(get(out_ / "a.py"), "import godwit_device_3\n"));
  EXPECT_TRUE(fs::exists(out_ / "godwit_device_3.py"));
  EXPECT_TRUE(plan(out_, {.style = Style::kPortable})->files.empty());
}

TEST_F(PortBadInput, AHalfPortedProjectIsPortedToTheEnd) {
  put(project_ / "done.py", "import torch\nimport torch_npu\n\nx = torch.ones(3).npu()\n");
  put(project_ / "half.py",
      "import torch\nimport torch_npu\n\nx = torch.ones(3).npu()\ny = torch.ones(3).cuda()\n");
  put(project_ / "a.py", kSource);
  const Plan made = make(project_);
  ASSERT_EQ(made.files.size(), 2U);
  EXPECT_EQ(made.files[1].path, "half.py");
  EXPECT_EQ(made.files[1].changes.size(), 1U);
  EXPECT_TRUE(made.files[1].after.ends_with("y = torch.ones(3).npu()\n"));
}

// A folder `torch` in the project hides the package: its names are not torch's.
TEST_F(PortBadInput, AVendoredCopyOfTorchIsNotTorch) {
  put(project_ / "torch" / "__init__.py", "def ones(n):\n    return n\n");
  put(project_ / "torch" / "cuda.py", "def synchronize():\n    pass\n");
  put(project_ / "a.py", "import torch\nimport torch.cuda\n\ntorch.cuda.synchronize()\n");
  EXPECT_TRUE(make(project_).files.empty());
}

}  // namespace
}  // namespace godwit::port
