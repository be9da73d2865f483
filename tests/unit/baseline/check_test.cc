// What each check says of two runs that differ in one thing, and of runs that say nothing.
#include "baseline/check.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace godwit::baseline {
namespace {

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

}  // namespace
}  // namespace godwit::baseline
