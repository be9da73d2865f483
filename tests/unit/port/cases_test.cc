// Every case of tests/cases/port: marks, diff, a second run without edits, and undo to the byte.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/file.h"
#include "blocks.h"
#include "port/port.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "# expect: ";

struct Case {
  std::string heading;
  std::size_t line = 0;
  std::map<std::string, std::string> files;  // path -> content without the marks
  std::multiset<std::string> marks;          // "train.py:3 P014 lambda"
  std::string diff;
  std::string torch_npu;
  std::uint32_t cards = 1;
  std::string target, style, float64;
};

std::string default_path(std::string_view language) {
  static const std::map<std::string, std::string, std::less<>> kPaths = {
      {"python", "case.py"},    {"shell", "run.sh"},       {"dockerfile", "Dockerfile"},
      {"makefile", "Makefile"}, {"yaml", "case.yaml"},     {"json", "case.json"},
      {"toml", "case.toml"},    {"markdown", "README.md"}, {"requirements", "requirements.txt"},
      {"cuda", "kernel.cu"}};
  const auto found = kPaths.find(language);
  return found == kPaths.end() ? std::string() : found->second;
}

// Takes the marks out of the text, so that neither columns nor diffs know of them.
void add_file(Case& into, const std::string& path, const std::string& content) {
  std::string kept;
  std::size_t number = 0;
  std::vector<std::string_view> lines = split(content, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (std::string_view line : lines) {
    ++number;
    const std::size_t mark = line.find(kMark);
    if (mark != std::string_view::npos) {
      for (const std::string_view each : split(line.substr(mark + kMark.size()), ',')) {
        into.marks.insert(format("{}:{} {}", path, number, trim(each)));
      }
      line = line.substr(0, mark);
      while (line.ends_with(' ')) line.remove_suffix(1);
    }
    kept.append(line).append("\n");
  }
  into.files[path] = kept;
}

// The number, and what is said of the project as a whole.
void add_cards(Case& into, std::string_view content) {
  const std::size_t mark = std::min(content.find(kMark), content.size());
  into.cards = static_cast<std::uint32_t>(parse_integer(trim(content.substr(0, mark))).value());
  if (mark < content.size())
    into.marks.insert(format(":0 {}", trim(content.substr(mark + kMark.size()))));
}

std::vector<Case> read_cases(const std::string& path) {
  std::vector<Case> cases;
  for (const tests::Block& block : tests::read_blocks(path)) {
    if (cases.empty() || cases.back().heading != block.heading) {
      Case next;
      next.heading = block.heading;
      next.line = block.line;
      cases.push_back(std::move(next));
    }
    const std::vector<std::string_view> words = split_list(block.info, ' ');
    if (words.empty()) continue;
    if (words[0] == "diff") {
      cases.back().diff = block.content;
    } else if (words[0] == "torch_npu") {
      cases.back().torch_npu = trim(block.content);
    } else if (words[0] == "cards") {
      add_cards(cases.back(), block.content);
    } else if (words[0] == "target") {
      cases.back().target = trim(block.content);
    } else if (words[0] == "style") {
      cases.back().style = trim(block.content);
    } else if (words[0] == "float64") {
      cases.back().float64 = trim(block.content);
    } else {
      add_file(cases.back(), words.size() > 1 ? std::string(words[1]) : default_path(words[0]),
               block.content);
    }
  }
  return cases;
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / format("godwit_port_{}", ::getpid())) {
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Only what changes: hunk headers name lines, which a reader of the case does not count.
std::string body_of(const std::string& unified) {
  std::string body;
  for (const std::string_view line : split(unified, '\n')) {
    if (line.starts_with("diff ") || line.starts_with("--- ") || line.starts_with("+++ ") ||
        line.starts_with("@@ ") || line.empty())
      continue;
    body.append(line).append("\n");
  }
  return body;
}

// Modules that are added have tests of their own: a case shows what becomes of its files.
std::string diff_of_old(const Plan& plan) {
  Plan old = plan;
  std::erase_if(old.files, [](const FilePlan& file) { return file.is_new; });
  return diff(old);
}

std::multiset<std::string> marks_of(const Plan& plan) {
  std::multiset<std::string> marks;
  for (const FilePlan& file : plan.files) {
    std::set<std::string> per_line;  // several edits of one rule on a line are one mark
    for (const Change& change : file.changes) {
      if (change.edit.rule != "P030" && change.edit.rule != "P099")
        per_line.insert(format("{}:{} {}", file.path, change.place.line, change.edit.rule));
    }
    marks.insert(per_line.begin(), per_line.end());
  }
  for (const diag::Finding& finding : plan.findings) {
    marks.insert(format("{}:{} {} {}", finding.place.file, finding.place.line, finding.code,
                        finding.variant));
  }
  return marks;
}

void check(const Case& one) {
  const Folder folder;
  for (const auto& [path, content] : one.files)
    ASSERT_TRUE(write_file(folder.path() / path, content, Sync::kLater));
  Options options{.torch_npu = one.torch_npu, .cards = one.cards};
  options.target.soc.family = "ascend310p";
  if (!one.target.empty()) {
    const auto target = facts::resolve_target(one.target);
    ASSERT_TRUE(target);
    options.target = *target;
  }
  if (one.style == "portable") options.style = Style::kPortable;
  if (one.float64 == "single") options.float64 = Float64::kSingle;
  const auto first = plan(folder.path(), options);
  ASSERT_TRUE(first) << diag::render(first.error());
  EXPECT_EQ(marks_of(*first), one.marks);
  EXPECT_EQ(body_of(diff_of_old(*first)), one.diff);

  ASSERT_TRUE(write_in_place(*first));
  const auto second = plan(folder.path(), options);
  ASSERT_TRUE(second);
  EXPECT_EQ(diff(*second), "") << "the second run edits again";
  if (first->files.empty()) return;
  ASSERT_TRUE(undo(folder.path()));
  for (const auto& [path, content] : one.files) {
    const auto now = read_file(folder.path() / path);
    ASSERT_TRUE(now);
    EXPECT_EQ(*now, content) << path;
  }
  for (const FilePlan& file : first->files) {
    if (file.is_new) {
      EXPECT_FALSE(fs::exists(folder.path() / file.path)) << file.path;
    }
  }
}

TEST(Port, Cases) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(GODWIT_ROOT "/tests/cases/port")) {
    for (const Case& one : read_cases(entry.path())) {
      SCOPED_TRACE(format("{}:{} {}", entry.path().filename().string(), one.line, one.heading));
      check(one);
      ++count;
    }
  }
  EXPECT_GT(count, 40u);
}

}  // namespace
}  // namespace godwit::port
