// Listing a project: what is found, what is left out, and why.
#include "project/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "base/file.h"
#include "project/glob.h"

namespace godwit::project {
namespace {

namespace fs = std::filesystem;

class Listed : public testing::Test {
 protected:
  Listed() : folder_(fs::temp_directory_path() / ("godwit_files_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
  }
  ~Listed() override {
    std::error_code ignored;
    fs::permissions(folder_ / "closed", fs::perms::owner_all, ignored);
    fs::remove_all(folder_);
  }

  void add(const std::string& path, const std::string& text = "x\n") {
    EXPECT_TRUE(write_file(folder_ / path, text));
  }
  std::map<std::string, FileKind> list(const ListOptions& options = {}) {
    auto listing = list_files(folder_, options);
    EXPECT_TRUE(listing);
    left_out_.clear();
    for (const Error& error : listing->left_out) left_out_[error.place.file] = error.code;
    std::map<std::string, FileKind> kinds;
    for (const File& file : listing->files) kinds[file.path] = file.kind;
    return kinds;
  }

  fs::path folder_;
  std::map<std::string, std::string> left_out_;
};

TEST_F(Listed, KnowsKindsByNameEndingAndShebang) {
  add("a.py");
  add("stub.pyi");
  add("fast.pyx");
  add("note.ipynb", "{}");
  add("bin/tool", "#!/usr/bin/env python3\nimport torch\n");
  add("bin/start", "#!/bin/bash\n");
  add("bin/plain", "text");
  add("requirements-dev.txt");
  add("Dockerfile.gpu");
  add("kernel.cu");
  add("net.onnx");
  add("conf/a.YML");
  const auto kinds = list();
  EXPECT_EQ(kinds.at("a.py"), FileKind::kPython);
  EXPECT_EQ(kinds.at("stub.pyi"), FileKind::kOther);
  EXPECT_EQ(kinds.at("fast.pyx"), FileKind::kOther);
  EXPECT_EQ(kinds.at("note.ipynb"), FileKind::kNotebook);
  EXPECT_EQ(kinds.at("bin/tool"), FileKind::kPython);
  EXPECT_EQ(kinds.at("bin/start"), FileKind::kShell);
  EXPECT_EQ(kinds.at("bin/plain"), FileKind::kOther);
  EXPECT_EQ(kinds.at("requirements-dev.txt"), FileKind::kRequirements);
  EXPECT_EQ(kinds.at("Dockerfile.gpu"), FileKind::kDockerfile);
  EXPECT_EQ(kinds.at("kernel.cu"), FileKind::kCuda);
  EXPECT_EQ(kinds.at("net.onnx"), FileKind::kOnnx);
  EXPECT_EQ(kinds.at("conf/a.YML"), FileKind::kYaml);
}

TEST_F(Listed, SkipsWhatIsNotTheProjects) {
  add("a.py");
  add(".git/hooks/x.py");
  add("env/pyvenv.cfg");
  add("env/lib/x.py");
  add("__pycache__/x.py");
  add("third_party/deep/x.py");
  add("b_test.py");
  const auto kinds = list({.exclude = {"third_party/", "*_test.py"}});
  EXPECT_EQ(kinds.size(), 1u);
}

TEST_F(Listed, NamesLinksThatLeadAwayOrNowhere) {
  add("a.py");
  fs::create_symlink("..", folder_ / "up");
  fs::create_symlink("missing.py", folder_ / "broken.py");
  fs::create_symlink("loop", folder_ / "loop");
  fs::create_symlink("a.py", folder_ / "same.py");
  fs::create_symlink(".", folder_ / "self");
  EXPECT_EQ(list().size(), 1u);
  EXPECT_EQ(left_out_["up"], "E067");
  EXPECT_EQ(left_out_["broken.py"], "E068");
  EXPECT_EQ(left_out_["loop"], "E068");
  EXPECT_EQ(left_out_.size(), 3u);
}

TEST_F(Listed, LeavesOutWhatIsTooLargeOrClosed) {
  add("large.py", std::string(5000, 'x'));
  add("large.onnx", std::string(5000, 'x'));
  add("closed/a.py");
  fs::permissions(folder_ / "closed", fs::perms::none);
  const auto kinds = list({.most_bytes = 1000});
  EXPECT_FALSE(kinds.contains("large.py"));
  EXPECT_TRUE(kinds.contains("large.onnx"));
  EXPECT_EQ(left_out_["large.py"], "E069");
  // The superuser may read everything.
  if (::geteuid() != 0) {
    EXPECT_EQ(left_out_["closed"], "E070");
  }
}

TEST_F(Listed, TakesOneFileAndRefusesNothing) {
  add("a.py");
  const auto one = list_files(folder_ / "a.py");
  ASSERT_TRUE(one);
  ASSERT_EQ(one->files.size(), 1u);
  EXPECT_EQ(one->files[0].path, "a.py");
  EXPECT_EQ(list_files(folder_ / "nothing").error().code, "E065");
}

TEST(Globs, FollowTheRulesOfGitignore) {
  const Globs globs({"build/", "*.min.py", "third_party/**", "/setup.py", "docs/**/x.py",
                     "[ab]?.txt", "!keep.min.py"});
  EXPECT_TRUE(globs.matches("build", true));
  EXPECT_FALSE(globs.matches("build", false));
  EXPECT_TRUE(globs.matches("a/build", true));
  EXPECT_TRUE(globs.matches("a/b.min.py", false));
  EXPECT_FALSE(globs.matches("a/keep.min.py", false));
  EXPECT_TRUE(globs.matches("third_party/a/b.py", false));
  EXPECT_TRUE(globs.matches("setup.py", false));
  EXPECT_FALSE(globs.matches("a/setup.py", false));
  EXPECT_TRUE(globs.matches("docs/x.py", false));
  EXPECT_TRUE(globs.matches("docs/a/b/x.py", false));
  EXPECT_TRUE(globs.matches("b1.txt", false));
  EXPECT_FALSE(globs.matches("c1.txt", false));
  const std::string stars(40, '*');
  EXPECT_FALSE(Globs({stars + "b"}).matches(std::string(200, 'a'), false));
}

}  // namespace
}  // namespace godwit::project
