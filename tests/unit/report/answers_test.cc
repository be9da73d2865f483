// What scan finds and port edits or leaves is told once.
#include <gtest/gtest.h>

#include "report/answers.h"

namespace godwit::report {
namespace {

diag::Finding scan_finding(std::string code, std::uint32_t line, std::string_view answer,
                           std::uint32_t count = 1) {
  diag::Finding made{.code = std::move(code), .severity = diag::Severity::kError};
  made.place = {.file = "a.py", .line = line};
  made.count = count;
  made.properties = Json::object();
  if (!answer.empty()) {
    Json answers = Json::array();
    answers.add(answer);
    made.properties.set("answered_by", std::move(answers));
  }
  return made;
}

TEST(Answers, LeftIsToldByPortAndEditedBecomesANote) {
  std::map<std::string, diag::Outcome> outcomes;
  auto& scan = outcomes["scan"].findings;
  scan = {scan_finding("S052", 3, "P014"), scan_finding("S052", 7, "P014"),
          scan_finding("S052", 9, "P014"), scan_finding("S026", 1, "P015", 2),
          scan_finding("S001", 3, "")};
  outcomes["port"].findings = {{.code = "P014", .place = {.file = "a.py", .line = 3}},
                               {.code = "P015", .place = {.file = "a.py", .line = 5}}};
  outcomes["port"].summary = *parse_json(
      R"({"changed": [{"path": "a.py", "edits": [{"code": "P014", "line": 7}]}]})", "port");
  const auto told = with_answers(outcomes);
  const auto& left = told.at("scan").findings;
  ASSERT_EQ(left.size(), 3u);  // line 3 and the two of TF32 are port's
  EXPECT_EQ(left[0].place.line, 7u);
  EXPECT_EQ(left[0].severity, diag::Severity::kNote);
  EXPECT_EQ(left[0].properties["state"].string(), "ported");
  EXPECT_EQ(left[1].place.line, 9u);  // neither edited nor left: stays as it is
  EXPECT_EQ(left[1].severity, diag::Severity::kError);
  EXPECT_EQ(left[2].code, "S001");
  EXPECT_EQ(told.at("port").findings.size(), 2u);
}

}  // namespace
}  // namespace godwit::report
