// What each check says of two runs that differ in one thing, and of runs that say nothing.
#include "baseline/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/text.h"

namespace godwit::baseline {
namespace {

namespace fs = std::filesystem;
using Recorded = Run;  // a test has a function Run of its own

Json parsed(std::string_view text) { return *parse_json(text, "test"); }

Run make_run() {
  Run run{.name = "run"};
  run.header = parsed(R"({"ranks": 1, "environment": {"python": "3.11", "machine": "x86_64",
      "packages": {"torch": "2.7"}, "variables": {"OMP_NUM_THREADS": "2"}}})");
  run.model = parsed(R"({"class": "Net", "parameters": 8, "structure": "aa", "weights": "11",
      "dtypes": {"float32": 4}})");
  run.seeds = parsed(R"({"torch": 7})");
  run.precision = parsed(R"({"autocast": {}, "default_dtype": "float32", "tf32": true})");
  run.optimizers = {parsed(R"({"class": "SGD", "settings": {"lr": 0.1, "momentum": 0}})")};
  for (int i = 0; i < 3; ++i) {
    run.steps.push_back(parsed(R"({"loss": 2.0, "lr": [0.1], "data": "d", "order": "o",
        "shapes": [[[4, 3]]], "dtypes": [["float32"]], "calls": 1})"));
  }
  run.is_finished = true;
  return run;
}

// Codes of all findings, and of the checks that could not tell as "?C101".
std::vector<std::string> said(const Run& a, const Run& b) {
  const Pair pair{a, b, std::min(a.steps.size(), b.steps.size())};
  std::vector<std::string> codes;
  for (const Check* const check : kChecks) {
    Findings findings;
    const Verdict verdict = check->run(pair, findings);
    for (const diag::Finding& found : findings) codes.push_back(found.code);
    if (verdict == Verdict::kUnknown) codes.push_back("?" + std::string(check->code));
  }
  std::sort(codes.begin(), codes.end());
  return codes;
}

using Codes = std::vector<std::string>;

TEST(BaselineCheck, SameRunsAreComparable) { EXPECT_EQ(said(make_run(), make_run()), Codes{}); }

TEST(BaselineCheck, EachDifferenceHasItsCode) {
  const Recorded a = make_run();
  const auto differs = [&](auto&& change) {
    Recorded b = make_run();
    change(b);
    return said(a, b);
  };
  EXPECT_EQ(differs([](Recorded& b) { b.steps[1].set("order", "x").set("data", "x"); }),
            Codes{"C101"});
  EXPECT_EQ(differs([](Recorded& b) { b.steps[1].set("data", "x"); }), Codes{"C102"});
  EXPECT_EQ(differs([](Recorded& b) { b.steps[2].set("shapes", parsed("[[[8, 3]]]")); }),
            Codes{"C103"});
  EXPECT_EQ(differs([](Recorded& b) { b.precision.set("default_dtype", "float16"); }),
            Codes{"C104"});
  EXPECT_EQ(differs([](Recorded& b) { b.seeds.set("torch", 8); }), Codes{"C105"});
  EXPECT_EQ(differs([](Recorded& b) { b.model.set("weights", "12"); }), Codes{"C106"});
  EXPECT_EQ(differs([](Recorded& b) { b.steps[1].set("lr", parsed("[0.2]")); }), Codes{"C107"});
  EXPECT_EQ(differs([](Recorded& b) { b.optimizers[0].set("class", "Adam"); }), Codes{"C107"});
  EXPECT_EQ(differs([](Recorded& b) { b.optimizers.push_back(b.optimizers[0]); }), Codes{"C107"});
  EXPECT_EQ(differs([](Recorded& b) {
              b.header.set("environment", parsed(R"({"python": "3.9",
      "machine": "x86_64"})"));
            }),
            Codes{"C108"});
  EXPECT_EQ(differs([](Recorded& b) { b.header.set("ranks", 2); }), Codes{"C110"});
  EXPECT_EQ(differs([](Recorded& b) { b.steps[0].set("calls", 4); }), Codes{"C110"});
  EXPECT_EQ(differs([](Recorded& b) { b.steps.pop_back(); }), Codes{"C111"});
  EXPECT_EQ(differs([](Recorded& b) { b.is_finished = false; }), Codes{"C111"});
  EXPECT_EQ(differs([](Recorded& b) { b.precision.set("tf32", false); }), Codes{"C112"});
  EXPECT_EQ(differs([](Recorded& b) { b.steps[0].set("loss", 2.1); }), Codes{"C113"});
  EXPECT_EQ(differs([](Recorded& b) { b.steps[0].set("loss", "nan"); }), Codes{"C113"});
  EXPECT_EQ(differs([](Recorded& b) { b.steps[0].set("loss", 2.01); }), Codes{});
}

TEST(BaselineCheck, OneDifferenceIsSaidOnce) {
  const Recorded a = make_run();
  Recorded b = make_run();
  b.model.set("structure", "bb").set("weights", "12");
  EXPECT_EQ(said(a, b), Codes{"C109"});
  // The same weights in another type have other bytes: that is no difference of weights.
  b = make_run();
  b.model.set("dtypes", parsed(R"({"float16": 4})")).set("weights", "12");
  EXPECT_EQ(said(a, b), (Codes{"?C106", "C104"}));
}

TEST(BaselineCheck, WhatIsNotRecordedIsUnknown) {
  Recorded bare{.name = "bare", .is_finished = true};
  bare.steps.resize(3, Json::object());
  EXPECT_EQ(said(make_run(), bare), (Codes{"?C101", "?C102", "?C103", "?C104", "?C105", "?C106",
                                           "?C107", "?C108", "?C109", "?C112", "?C113"}));
}

std::string step_line(int step, std::string_view data) {
  return format(R"({{"step": {}, "loss": 2.0, "data": "{}", "order": "o"}})", step, data) + "\n";
}

// A run of two steps; `data` of the second step, for each rank.
fs::path write_run(const fs::path& folder, const std::vector<std::string>& data) {
  for (std::size_t rank = 0; rank < data.size(); ++rank) {
    const fs::path place = folder / format("rank{}", rank);
    fs::create_directories(place);
    std::ofstream(place / "steps.jsonl")
        << format(R"({{"format": "godwit-baseline", "version": 1, "rank": {}, "ranks": {}}})", rank,
                  data.size())
        << "\n"
        << step_line(1, "d") << step_line(2, data[rank]) << R"({"end": true, "steps": 2})"
        << "\n";
  }
  return folder;
}

TEST(BaselineCheck, ComparesAllRanks) {
  const fs::path folder = fs::path(testing::TempDir()) / "godwit_baseline_ranks";
  fs::remove_all(folder);
  const fs::path a = write_run(folder / "a", {"x", "y", "z"});
  const auto codes = [&](const fs::path& b) {
    std::vector<std::string> found;
    const auto outcome = check(a, b);
    EXPECT_TRUE(outcome);
    for (const diag::Finding& one : outcome->findings)
      found.push_back(one.code + " " + one.properties["ranks"].dump());
    return found;
  };
  EXPECT_EQ(codes(write_run(folder / "same", {"x", "y", "z"})), Codes{});
  EXPECT_EQ(codes(write_run(folder / "one", {"x", "other", "z"})), Codes{"C102 [1]"});
  EXPECT_EQ(codes(write_run(folder / "two", {"x", "other", "other"})), Codes{"C102 [1, 2]"});
  // Ranks that only one run has are no part of it; C110 says that their number differs.
  const auto fewer = check(a, write_run(folder / "fewer", {"x", "y"}));
  ASSERT_TRUE(fewer);
  ASSERT_EQ(fewer->findings.size(), 1U);
  EXPECT_EQ(fewer->findings[0].code, "C110");
  EXPECT_EQ(fewer->summary["ranks_compared"].integer(), 2);
  // One rank against another, by their own folders.
  EXPECT_EQ(check(a / "rank0", a / "rank1")->findings.size(), 1U);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace godwit::baseline
