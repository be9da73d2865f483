// Runs tests/cases/scan/S0*.md and S2*.md: small projects with marked findings, each scanned for
// one code.
//
// Under one heading, each block whose info string names a file ("python train.py") becomes that
// file; `run` holds options ("--to ascend910b --mode training"); `expect` lists findings that
// cannot be marked in the file ("config.json:3 S023"). A mark is a comment `expect: S020` or
// `expect: S020.variant error` on its line. All findings of the code of the case count.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "blocks.h"
#include "scan/scan.h"

namespace godwit::scan {
namespace {

namespace fs = std::filesystem;

struct Project {
  std::string heading;
  fs::path folder;
  Options options;
  std::multiset<std::string> expected;
};

std::string code_of(const std::string& path) { return fs::path(path).stem().string().substr(0, 4); }

// "S020.offered note" → place, code with variant, severity; what a mark leaves out is not compared.
void add_expected(Project& project, const std::string& place, std::string_view mark) {
  for (const std::string_view part : split_list(mark, ',')) {
    project.expected.insert(format("{} {}", place, trim(part)));
  }
}

void add_marks(Project& project, const std::string& file, const std::string& content) {
  std::size_t number = 0;
  for (const std::string_view line : split(content, '\n')) {
    ++number;
    const std::size_t at = line.find("expect: ");
    if (at != std::string_view::npos)
      add_expected(project, format("{}:{}", file, number), line.substr(at + 8));
  }
}

void set_options(Options& options, const std::string& line) {
  const std::string text = replace_all(line, "\n", " ");
  const auto words = split_list(text, ' ');
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--to") options.target = *facts::resolve_target(words[i + 1]);
    if (words[i] == "--mode") options.mode = *parse_mode(words[i + 1]);
    if (words[i] == "--torch-npu") options.torch_npu = words[i + 1];
  }
}

void take(Project& project, const tests::Block& block) {
  if (block.info == "run") return set_options(project.options, block.content);
  if (block.info == "expect") {
    for (const std::string_view line : split_list(block.content, '\n')) {
      const std::size_t blank = line.find(' ');
      add_expected(project, std::string(line.substr(0, blank)), line.substr(blank + 1));
    }
    return;
  }
  const std::string file(trim(block.info.substr(block.info.find(' ') + 1)));
  add_marks(project, file, block.content);
  ASSERT_TRUE(write_file(project.folder / file, block.content)) << file;
}

std::vector<Project> read_projects(const std::string& path) {
  std::vector<Project> projects;
  for (const tests::Block& block : tests::read_blocks(path)) {
    if (projects.empty() || projects.back().heading != block.heading) {
      Project project{.heading = block.heading};
      project.folder = fs::path(testing::TempDir()) / "scan" / fs::path(path).stem() /
                       std::to_string(projects.size());
      fs::remove_all(project.folder);
      project.options.target = *facts::resolve_target("ascend310p");
      projects.push_back(std::move(project));
    }
    take(projects.back(), block);
  }
  return projects;
}

// Removes the finding from what is expected; the mark may leave out variant and severity.
bool met(std::multiset<std::string>& expected, const std::string& place,
         const diag::Finding& finding) {
  const std::string severity(diag::to_string(finding.severity));
  for (const std::string& code : {format("{}.{}", finding.code, finding.variant), finding.code}) {
    for (const std::string& mark :
         {format("{} {} {}", place, code, severity), format("{} {}", place, code)}) {
      const auto at = expected.find(mark);
      if (at == expected.end()) continue;
      expected.erase(at);
      return true;
    }
  }
  return false;
}

std::string file_of(const diag::Finding& finding, const fs::path& folder) {
  std::string file = finding.place.file;
  const std::string prefix = folder.string() + "/";
  if (file.starts_with(prefix)) file.erase(0, prefix.size());
  return file;
}

class ScanCase : public testing::TestWithParam<std::string> {};

TEST_P(ScanCase, FindsWhatIsMarkedAndNothingElse) {
  const std::string code = code_of(GetParam());
  const std::vector<Project> projects = read_projects(GetParam());
  ASSERT_FALSE(projects.empty());
  for (const Project& project : projects) {
    const auto report = scan(project.folder, project.options);
    ASSERT_TRUE(report) << project.heading << ": " << diag::render(report.error());
    std::multiset<std::string> expected = project.expected;
    for (const diag::Finding& finding : report->outcome.findings) {
      if (finding.code != code) continue;
      const std::string place =
          format("{}:{}", file_of(finding, project.folder), finding.place.line);
      EXPECT_TRUE(met(expected, place, finding))
          << project.heading << ": not expected: " << place << " " << code << "." << finding.variant
          << " " << diag::to_string(finding.severity) << ": " << finding.message();
      EXPECT_FALSE(contains(finding.message(), "{")) << finding.message();
    }
    for (const std::string& mark : expected)
      ADD_FAILURE() << project.heading << ": missing: " << mark;
  }
}

std::vector<std::string> case_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(GODWIT_ROOT) / "tests/cases/scan")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("S0") || name.starts_with("S2")) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Rules, ScanCase, testing::ValuesIn(case_files()),
                         [](const auto& parameter) {
                           return fs::path(parameter.param).stem().string();
                         });

}  // namespace
}  // namespace godwit::scan
