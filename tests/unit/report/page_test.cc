// The page from made-up outcomes: figures, checklist, and that nothing hostile becomes markup.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "base/text.h"
#include "diag/messages.h"
#include "report/render.h"

namespace godwit::report {
namespace {

const std::string kEvil = "\"><script>alert(1)</script>'&\xE2\x80\xAE\x1b[31m";

diag::Finding finding(std::string code, diag::Severity severity, std::string file,
                      std::uint32_t line, std::string snippet = {}) {
  return {.code = std::move(code),
          .severity = severity,
          .place = {.file = std::move(file), .line = line},
          .args = {{"path", kEvil}, {"reason", kEvil}},
          .snippet = std::move(snippet)};
}

Json parse(std::string_view text) {
  auto json = parse_json(text, "test");
  return json ? *std::move(json) : Json();
}

constexpr std::string_view kManifest = R"({
  "version": "0.1.0", "data": "abc", "command": "godwit migrate clip --to ascend310p",
  "options": {"to": "Ascend310P3", "apply": "cd clip && git apply ../clip.godwit/source.diff"},
  "subject": {"name": "clip", "kinds": ["project", "onnx"], 
    "inputs": [{"path": "model/net.py"}, {"path": "train.py"}]},
  "stages": [{"stage": "doctor", "seconds": 0.12, "findings": {"error": 1}},
             {"stage": "scan", "seconds": 0.85, "command": "godwit scan clip"},
             {"stage": "port", "seconds": 0.3}]})";

constexpr std::string_view kScan = R"({
  "project": {"mode": "training", "coverage": {"apis": 100, "supported": 83},
    "verdicts": {"supported": 70, "framework": 8, "undocumented": 5, "aicpu": 4, "partial": 5,
                 "blocked": 3, "unknown": 5}},
  "models": [{"path": "clip.onnx",
    "tiers": {"direct": 210, "custom_kernel": 12, "decompose": 20, "unsupported": 2}}],
  "effort": {"first_run": {"low": 3.5, "high": 9}, "production": {"low": 5, "high": 14},
    "peak": {"low": 6, "high": 25},
    "items": [{"item": "no_such", "title": "Kernels", "basis": "as written", "count": 3,
      "status": "assumed", "first_run": {"low": 1, "high": 3}, "production": {"low": 1, "high": 3},
      "peak": {"low": 1, "high": 4}}]}})";

Source sample() {
  diag::Outcome doctor{.command = "doctor"}, scan{.command = "scan"}, port{.command = "port"};
  doctor.findings = {finding("E006", diag::Severity::kError, "", 0)};
  doctor.summary = parse(R"({"install": ["pip install torch==2.1.0", "pip install torch_npu"],
    "install_notes": ["doctor.note_cpu_build", ""]})");
  scan.findings = {
      finding("E005", diag::Severity::kError, "model/net.py", 12, "x = fft(y)  " + kEvil),
      finding("E005", diag::Severity::kError, "model/net.py", 31),
      finding("S030", diag::Severity::kWarning, kEvil, 3, "nn.DataParallel(model)"),
      finding("E002", diag::Severity::kNote, "train.py", 7)};
  scan.summary = parse(kScan);
  port.summary = parse(R"({"edits": 42, "changed_files": 6, "imports": 3, "left": 3})");
  return {.manifest = parse(kManifest),
          .outcomes = {{"doctor", doctor}, {"scan", scan}, {"port", port}}};
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0, at = 0;
  for (; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++found;
  return found;
}

TEST(Page, FiguresFollowFromTheOutcomes) {
  const Page page = make_page(sample());
  EXPECT_EQ(page.findings, (std::array<std::size_t, 3>{1, 1, 2}));
  EXPECT_EQ(page.places, (std::array<std::size_t, 3>{1, 1, 3}));
  ASSERT_EQ(page.coverage.size(), 5u);
  EXPECT_EQ(page.coverage[0].count, 78u);
  EXPECT_EQ(page.coverage[2].look, "slow");
  EXPECT_EQ(page.models.at(0).tiers.size(), 4u);
  EXPECT_DOUBLE_EQ(page.production.low, 8.5);
  EXPECT_DOUBLE_EQ(page.peak.high, 48);
  EXPECT_EQ(page.hot_files.at(0).path, "model/net.py");
  EXPECT_EQ(page.groups.at(0).count, 2u) << "two findings of one text are one group";
  ASSERT_EQ(page.install.size(), 3u);
  EXPECT_TRUE(page.install[0].starts_with("# "));
  EXPECT_EQ(page.apply, "cd clip && git apply ../clip.godwit/source.diff");
  EXPECT_NE(render_html(page).find("<b>5–14</b>"), std::string::npos) << "what production adds";
}

TEST(Page, SaysWhenTheNearestReleaseIsUsed) {
  Source source = sample();
  EXPECT_FALSE(is_nearest_release(make_page(source)));
  source.outcomes["doctor"].summary = parse(R"({"plan": {"solution": {"torch_npu": "2.12.1"}}})");
  source.outcomes["port"].summary = parse(R"({"torch_npu": "2.12.0"})");
  EXPECT_TRUE(is_nearest_release(make_page(source)));
  EXPECT_NE(render_html(make_page(source)).find("names of torch_npu 2.12.0"), std::string::npos);
  source.manifest.set("options", Json(Json::Object{{"torch-npu", "2.12.0"}}));
  EXPECT_FALSE(is_nearest_release(make_page(source))) << "it was asked for";
}

TEST(Page, AnEmptyDossierIsAPageToo) {
  const Page page = make_page({});
  EXPECT_TRUE(page.groups.empty());
  EXPECT_NE(render_html(page).find("</html>"), std::string::npos);
}

TEST(Checklist, StatesFollowFromFindings) {
  Source source = sample();
  const auto state = [&](std::string_view item) {
    for (const Check& check : judge_checklist(source)) {
      if (check.item == item) return std::string(to_string(check.state));
    }
    return std::string("missing");
  };
  EXPECT_EQ(state("apis"), "open") << "three are blocked";
  EXPECT_EQ(state("nodes"), "open") << "not all map directly";
  EXPECT_EQ(state("rest"), "open") << "three places are left";
  EXPECT_EQ(state("kernels"), "done");
  EXPECT_EQ(state("collectives"), "done") << "a warning does not hold it up";
  EXPECT_EQ(state("port"), "done");
  EXPECT_EQ(state("first_run"), "card");
  EXPECT_EQ(state("review"), "open");
  auto& scan = source.outcomes["scan"];
  scan.findings.push_back(finding("S001", diag::Severity::kError, "a.py", 1));
  EXPECT_EQ(state("apis"), "open");
  scan.summary = Json();
  EXPECT_EQ(state("backward"), "none") << "the project does not train";
  source.outcomes.erase("scan");
  EXPECT_EQ(state("apis"), "open") << "not looked at is not done";
  EXPECT_NE(to_markdown(judge_checklist(source)).find("\n- [x] "), std::string::npos);
}

TEST(Checklist, WhatIsNotKnownIsNotDone) {
  Source source = sample();
  const auto state = [&](std::string_view item) {
    for (const Check& check : judge_checklist(source)) {
      if (check.item == item) return std::string(to_string(check.state));
    }
    return std::string("missing");
  };
  auto& doctor = source.outcomes["doctor"].summary;
  EXPECT_EQ(state("versions"), "unknown");
  constexpr std::string_view kFound = R"("driver": {"state": "found"}, "cann": {"state": "found"},
      "torch": {"state": "found"}, "python": {"state": "found"}, "torch_npu": {"state": "found"})";
  doctor = parse(format(R"({{"environment": {{{}}}, "checks": {{"unknown": ["D009"]}}}})", kFound));
  EXPECT_EQ(state("versions"), "unknown") << "a check that is not judged";
  doctor = parse(format(R"({{"environment": {{{}}}}})", kFound));
  EXPECT_EQ(state("versions"), "done");
  auto& scan = source.outcomes["scan"].summary;
  scan = parse(R"({"project": {"verdicts": {"supported": 2, "unknown": 1}},
                   "models": [{"tiers": {"direct": 3, "unknown": 1}}]})");
  EXPECT_EQ(state("apis"), "unknown");
  EXPECT_EQ(state("nodes"), "unknown");
  scan = parse(R"({"models": [{"tiers": {"direct": 3}}]})");
  EXPECT_EQ(state("apis"), "done");
  EXPECT_EQ(state("nodes"), "done");
  source.outcomes["port"].summary = parse(R"({"left": 0})");
  EXPECT_EQ(state("rest"), "done");
}

void expect_sound(const std::string& html) {
  EXPECT_EQ(count(html, "<script"), 1u);
  EXPECT_EQ(count(html, "alert(1)</script"), 0u);
  EXPECT_EQ(count(html, "\x1b") + count(html, "\xE2\x80\xAE"), 0u);
  for (const std::string_view fetched : {"http://", "https://", " src=", "@import", "url("}) {
    EXPECT_EQ(count(html, fetched), 0u) << fetched;
  }
  for (const std::string_view name :
       {"body", "section", "details", "div", "svg", "ul", "li", "table"}) {
    EXPECT_EQ(count(html, format("<{}>", name)) + count(html, format("<{} ", name)),
              count(html, format("</{}>", name)))
        << name;
  }
  EXPECT_EQ(count(html, ">report."), 0u) << "a text is missing";
}

TEST(Html, NothingHostileBecomesMarkupAndNothingIsFetched) {
  Source source = sample();
  source.manifest.set("command", kEvil);
  source.manifest.set("options", Json(Json::Object{{"to", kEvil}}));
  source.manifest.set("subject", Json(Json::Object{{"name", kEvil}}));
  source.outcomes["doctor"].summary.set("install", Json(Json::Array{kEvil}));
  for (const char* const name : {"zh", "en"}) {
    diag::set_language(*diag::choose_language(name));
    expect_sound(render_html(make_page(source)));
  }
}

// For people: GODWIT_PAGES=FOLDER writes the sample page in both languages.
TEST(Html, SamplePages) {
  const char* const folder = std::getenv("GODWIT_PAGES");
  if (folder == nullptr) GTEST_SKIP();
  for (const char* const name : {"zh", "en"}) {
    diag::set_language(*diag::choose_language(name));
    const auto path = std::filesystem::path(folder) / (std::string(name) + ".html");
    ASSERT_TRUE(write_file(path, render_html(make_page(sample()))));
  }
}

}  // namespace
}  // namespace godwit::report
