// What holds for every case, whatever the file looks like; and faults that the check must catch.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/file.h"
#include "blocks.h"
#include "port/port.h"
#include "port/verify.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> python_cases() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(GODWIT_ROOT "/tests/cases/port")) {
    for (const tests::Block& block : tests::read_blocks(entry.path())) {
      if (block.info.starts_with("python")) all.push_back(block.content);
    }
  }
  return all;
}

class PortProperties : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  Plan port(const std::string& content) {
    EXPECT_TRUE(write_file(folder_ / "case.py", content, Sync::kLater));
    auto made = plan(folder_, {});
    EXPECT_TRUE(made) << diag::render(made.error());
    return made ? *std::move(made) : Plan{};
  }

  fs::path folder_ = fs::temp_directory_path() / format("godwit_properties_{}", ::getpid());
};

std::string with_crlf(const std::string& text) { return replace_all(text, "\n", "\r\n"); }
std::string with_bom(const std::string& text) { return "\xEF\xBB\xBF" + text; }
std::string without_end(const std::string& text) { return text.substr(0, text.size() - 1); }
// GBK: the second byte of the last character is a backslash.
std::string in_gbk(const std::string& text) {
  return "# -*- coding: gbk -*-\nNAME = \"\xD6\xD0\x81\x5C\"\n" + text;
}
std::string before_error(const std::string& text) { return text + "\ndef broken(:\n    pass\n"; }

TEST_F(PortProperties, EditsAreTheSameInEveryForm) {
  const std::pair<const char*, std::string (*)(const std::string&)> forms[] = {
      {"CRLF", with_crlf},
      {"BOM", with_bom},
      {"no final newline", without_end},
      {"GBK", in_gbk},
      {"a syntax error behind", before_error}};
  for (const std::string& content : python_cases()) {
    const std::uint32_t usual = port(content).summary.edits;
    for (const auto& [name, form] : forms) {
      // An assignment before `from __future__` would be an error of its own.
      if (form == in_gbk && contains(content, "__future__")) continue;
      const Plan made = port(form(content));
      EXPECT_EQ(made.summary.edits, usual) << name << "\n" << content;
      for (const FilePlan& file : made.files) {
        if (file.is_new) continue;  // a helper of ours
        EXPECT_TRUE(contains(file.before, "\r\n") || !contains(file.after, "\r")) << name;
        EXPECT_TRUE(form != with_crlf || !contains(replace_all(file.after, "\r\n", ""), "\n"));
      }
    }
  }
}

// Rules that rest on names of torch see none when torch is another package.
TEST_F(PortProperties, NamesOfAnotherPackageAreNotTorch) {
  const std::set<std::string> on_names = {"P001", "P002", "P003", "P009", "P014", "P016", "P030"};
  for (const std::string& content : python_cases()) {
    const Plan made = port(replace_all(content, "torch", "tarch"));
    for (const FilePlan& file : made.files) {
      for (const Change& change : file.changes) {
        EXPECT_FALSE(on_names.contains(change.edit.rule)) << change.edit.rule << "\n" << content;
      }
    }
  }
}

// A rule with a fault: what it breaks must be found before anything is written.
TEST_F(PortProperties, TheCheckFindsBrokenEdits) {
  std::size_t tried = 0;
  for (const std::string& content : python_cases()) {
    for (const FilePlan& file : port(content).files) {
      const auto source = syntax::Source::make("case.py", file.before);
      ASSERT_TRUE(source);
      const syntax::Tree tree = syntax::Tree::parse_python(*source);
      for (std::size_t i = 0; i < file.changes.size(); ++i) {
        std::vector<syntax::Edit> edits;
        for (const Change& change : file.changes) edits.push_back(change.edit);
        edits[i].text += "\"'(";
        const auto after = syntax::apply(file.before, edits);
        ASSERT_TRUE(after);
        const auto checked = verify_python(*source, tree, *after, edits);
        ASSERT_TRUE(checked);
        EXPECT_FALSE(checked->holds()) << file.after << "\n" << *after;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 100u);
}

TEST_F(PortProperties, UndoRefusesWhatWasChangedSince) {
  const std::string content = "import torch\ntorch.cuda.synchronize()\n";
  ASSERT_TRUE(write_in_place(port(content)));
  ASSERT_TRUE(write_file(folder_ / "case.py", "import torch\n", Sync::kLater));
  const auto refused = undo(folder_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "E115");
  const auto now = read_file(folder_ / "case.py");
  EXPECT_EQ(*now, "import torch\n");
}

TEST_F(PortProperties, UndoGoesBackRunByRun) {
  const std::string first = "import torch\ntorch.cuda.synchronize()\n";
  ASSERT_TRUE(write_in_place(port(first)));
  const std::string second = *read_file(folder_ / "case.py") + "torch.cuda.empty_cache()\n";
  ASSERT_TRUE(write_in_place(port(second)));
  ASSERT_TRUE(undo(folder_));
  EXPECT_EQ(*read_file(folder_ / "case.py"), second);
  const auto again = undo(folder_);
  ASSERT_FALSE(again) << "the line that was added by hand would be lost";
  EXPECT_EQ(again.error().code, "E115");
}

TEST_F(PortProperties, ACopyNeverLandsInTheProject) {
  Plan made = port("import torch\n");
  EXPECT_EQ(write(made, folder_ / "out").error().code, "E111");
  EXPECT_EQ(plan(folder_, {.torch_npu = "9.9"}).error().code, "E110");
}

}  // namespace
}  // namespace godwit::port
