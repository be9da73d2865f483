// Runs tests/cases/project/*.md: small projects whose lines say which uses and types must be found.
//
// A block ```python path=a/b.py is a file; `# use: torch.zeros, torch.Tensor.cuda (type)` names all
// uses of that line, with their proof unless it is the import; `# use: -` means none.
// `# type: x Tensor` names the type of the first expression on the line that reads `x`.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "project/project.h"

namespace godwit::project {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string title;
  std::map<std::string, std::string> files{};
};

std::vector<Case> read_cases(const fs::path& path) {
  std::vector<Case> cases;
  std::string file;
  bool in_block = false;
  const std::string text = read_file(path).value();
  for (const std::string_view line : split(text, '\n')) {
    if (in_block && line.starts_with("```")) {
      in_block = false;
    } else if (in_block) {
      cases.back().files[file] += std::string(line) + "\n";
    } else if (line.starts_with("## ")) {
      cases.push_back({path.stem().string() + ": " + std::string(line.substr(3))});
    } else if (line.starts_with("```python")) {
      const std::size_t name = line.find("path=");
      file = name == std::string_view::npos ? "main.py" : std::string(trim(line.substr(name + 5)));
      in_block = true;
    }
  }
  return cases;
}

constexpr std::string_view kProofs[] = {"", " (type)", " (rebound)", " (unknown)"};
constexpr std::string_view kTypes[] = {"Unknown", "Tensor", "Module",   "Optimizer", "Scheduler",
                                       "Loader",  "Device", "Dtype",    "String",    "Integer",
                                       "Float",   "Bool",   "None",     "List",      "Tuple",
                                       "Dict",    "Class",  "Function", "Namespace", "Object"};

std::string sorted_list(std::vector<std::string> items) {
  std::sort(items.begin(), items.end());
  return items.empty() ? "-" : join(items, ", ");
}

std::string uses_of_line(const Module& module, std::uint32_t line) {
  std::vector<std::string> found;
  for (const Use& use : module.uses()) {
    if (module.place(use.node).line != line) continue;
    const std::string_view proof = kProofs[static_cast<std::size_t>(use.proof)];
    found.push_back(std::string(module.name(use.name)) + std::string(proof));
  }
  return sorted_list(std::move(found));
}

std::string type_on_line(const Module& module, std::uint32_t line, std::string_view text) {
  const syntax::Tree& tree = module.tree();
  for (syntax::NodeIndex node = 0; node < tree.nodes().size(); ++node) {
    const bool is_expression = tree[node].field != syntax::Field::kLeft &&
                               tree[node].kind != syntax::Kind::kExpressionStatement;
    if (is_expression && tree.text(node) == text && module.place(node).line == line) {
      return std::string(kTypes[static_cast<std::size_t>(module.type_of(node))]);
    }
  }
  return "no such expression";
}

void check_line(const Module& module, std::uint32_t number, std::string_view line) {
  if (const std::size_t mark = line.find("# use: "); mark != std::string_view::npos) {
    std::vector<std::string> expected;
    const std::string_view list =
        trim(line.substr(mark + 7, line.find("# type:", mark) - mark - 7));
    for (const std::string_view item : split(list, ',')) expected.emplace_back(trim(item));
    EXPECT_EQ(uses_of_line(module, number), sorted_list(std::move(expected)))
        << module.file().path << ":" << number << ": " << line;
  }
  if (const std::size_t mark = line.find("# type: "); mark != std::string_view::npos) {
    const std::string_view claim = trim(line.substr(mark + 8));
    const std::size_t blank = claim.rfind(' ');
    EXPECT_EQ(type_on_line(module, number, claim.substr(0, blank)), claim.substr(blank + 1))
        << module.file().path << ":" << number << ": " << line;
  }
}

void run_case(const Case& one, const fs::path& folder) {
  fs::remove_all(folder);
  for (const auto& [path, text] : one.files) ASSERT_TRUE(write_file(folder / path, text));
  const auto project = open_project(folder);
  ASSERT_TRUE(project);
  for (const Module& module : project->modules) {
    std::uint32_t number = 0;
    const auto& text = one.files.at(module.file().path);
    for (const std::string_view line : split(text, '\n')) check_line(module, ++number, line);
  }
}

TEST(ProjectCases, FindTheUsesTheyName) {
  const fs::path folder = fs::temp_directory_path() / ("godwit_case_" + std::to_string(::getpid()));
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(GODWIT_ROOT) / "tests/cases/project")) {
    for (const Case& one : read_cases(entry.path())) {
      SCOPED_TRACE(one.title);
      run_case(one, folder);
      ++count;
    }
  }
  EXPECT_GT(count, 20u);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace godwit::project
