// Runs tests/cases/doctor: a described environment or a machine tree, and what must be found in it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "blocks.h"
#include "doctor/check.h"
#include "doctor/doctor.h"
#include "unit/doctor/files.h"

namespace godwit::doctor {
namespace {

namespace fs = std::filesystem;

// All blocks below one heading. Kinds of block, by their first word: `env NAME` (a description),
// `machine PATH` (a file of a tree; a path that ends in / is a folder), `link PATH`, `project
// NAME`, `requirements`, `expect [--to SOC]`.
struct Case {
  std::string name;
  fs::path folder;
  Options options;
  std::string expected;
};

void add_machine(Case& into, const std::string& kind, const std::string& path,
                 const std::string& content) {
  const fs::path root = into.folder / "machine";
  into.options.root = root;
  if (kind == "link") {
    fs::create_directories((root / path).parent_path());
    fs::create_symlink(trim(content), root / path);
  } else if (path.ends_with('/')) {
    fs::create_directories(root / path);
  } else {
    write(root / path, content);
  }
}

void add_block(Case& into, const tests::Block& block) {
  const std::size_t blank = std::min(block.info.find(' '), block.info.size());
  const std::string kind = block.info.substr(0, blank);
  const std::string rest(trim(std::string_view(block.info).substr(blank)));
  if (kind == "machine" || kind == "link") return add_machine(into, kind, rest, block.content);
  if (kind == "env") {
    into.options.description = into.folder / (rest.empty() ? "env.toml" : rest);
    return write(into.options.description, block.content);
  }
  if (kind == "project") return write(into.folder / "project" / rest, block.content);
  if (kind == "requirements") {
    into.options.requirements = into.folder / "matrix.toml";
    return write(into.options.requirements, block.content);
  }
  ASSERT_EQ(kind, "expect") << block.info;
  into.expected = block.content;
  if (rest.starts_with("--to ")) into.options.to = rest.substr(5);
}

std::vector<Case> read_cases(const fs::path& file, const fs::path& scratch) {
  std::vector<Case> cases;
  for (const tests::Block& block : tests::read_blocks(file.string())) {
    if (cases.empty() || cases.back().name != block.heading) {
      const fs::path folder = scratch / std::to_string(cases.size());
      fs::create_directories(folder / "project");
      cases.push_back(
          {.name = block.heading, .folder = folder, .options = {.project = folder / "project"}});
    }
    add_block(cases.back(), block);
  }
  return cases;
}

std::string text_of(const Json& value) {
  return value.is_string() ? std::string(value.string()) : value.is_null() ? "" : value.dump();
}

// "solution cann = 9.1.0", "environment driver = 25.2.0", "step Ascend-cann-310p-ops", "no step
// reboot", "conflict torch ==2.4.1", "unknown D005", "met cuda", "D002 error".
void check_line(std::string_view line, const diag::Outcome& outcome,
                std::multiset<std::string>& codes) {
  const auto words = split_list(line, ' ');
  const std::string rest(trim(line.substr(std::min(line.size(), words[0].size()))));
  const Json& plan = outcome.summary["plan"];
  const std::string steps = outcome.summary["install"].dump();
  if (words[0] == "solution" || words[0] == "upgrade") {
    const Json& solution = plan[words[0] == "upgrade" ? "with_upgrade" : "solution"];
    EXPECT_EQ(text_of(solution[words[1]]), words.size() > 3 ? words[3] : "") << line;
  } else if (words[0] == "environment") {
    const std::string value(outcome.summary["environment"][words[1]]["value"].string());
    EXPECT_EQ(value, trim(line.substr(line.find('=') + 1))) << line;
  } else if (words[0] == "step") {
    EXPECT_TRUE(contains(steps, rest)) << line << "\n" << steps;
  } else if (words[0] == "no") {
    EXPECT_FALSE(contains(steps, trim(rest.substr(4)))) << line << "\n" << steps;
  } else if (words[0] == "conflict" || words[0] == "given_up") {
    EXPECT_TRUE(contains(plan[words[0]].dump(), rest)) << line << "\n" << plan.dump();
  } else if (words[0] == "unknown") {
    EXPECT_TRUE(contains(outcome.summary["checks"]["unknown"].dump(), rest)) << line;
  } else if (words[0] == "met" || words[0] == "unmet") {
    const auto& lines = outcome.summary["requirements"].items();
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const Json& entry) {
      return entry["component"].string() == rest && entry["verdict"].string() == words[0];
    })) << line;
  } else {
    const auto found =
        std::find_if(outcome.findings.begin(), outcome.findings.end(), [&](const auto& f) {
          return f.code == words[0] &&
                 (words.size() < 2 || diag::to_string(f.severity) == words[1]);
        });
    EXPECT_NE(found, outcome.findings.end()) << line;
    const auto at = codes.find(std::string(words[0]));
    if (at != codes.end()) codes.erase(at);
  }
}

void run(const Case& one, std::set<std::string>& seen) {
  SCOPED_TRACE(one.name);
  const auto outcome = doctor(one.options);
  ASSERT_TRUE(outcome) << diag::render(outcome.error());
  std::multiset<std::string> codes;
  for (const diag::Finding& finding : outcome->findings) {
    codes.insert(finding.code);
    seen.insert(finding.code);
    EXPECT_FALSE(finding.message().empty()) << finding.code;
    EXPECT_FALSE(contains(finding.message(), "{")) << finding.message();
  }
  for (const std::string_view line : split(one.expected, '\n')) {
    if (!trim(line).empty()) check_line(trim(line), *outcome, codes);
  }
  for (const std::string& code : codes) ADD_FAILURE() << "not expected: " << code;
}

TEST(DoctorCases, FindWhatTheySay) {
  const fs::path scratch =
      fs::temp_directory_path() / ("godwit_doctor_" + std::to_string(getpid()));
  std::set<std::string> seen;
  int number = 0;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(GODWIT_ROOT) / "tests/cases/doctor")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.filename());
    for (const Case& one : read_cases(file, scratch / std::to_string(number++))) run(one, seen);
  }
  fs::remove_all(scratch);
  for (const Check* const check : kChecks) {
    EXPECT_TRUE(seen.contains(std::string(check->code))) << check->code << " is found by no case";
  }
}

}  // namespace
}  // namespace godwit::doctor
