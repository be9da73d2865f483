// Parts of the scanner by themselves: interests, words, suppressions, trace reading, effort.
#include <gtest/gtest.h>

#include "base/text.h"
#include "scan/effort.h"
#include "scan/interest.h"
#include "scan/suppress.h"
#include "scan/trace.h"
#include "scan/words.h"

namespace godwit::scan {
namespace {

TEST(ScanInterest, FindsExactPrefixAndMethodOnceEach) {
  Interest interest;
  interest.add("torch.load", 1);
  interest.add("torch.cuda.*", 2);
  interest.add("torch.*", 3);
  interest.add("*.half", 4);
  interest.add("torch.Tensor.half", 4);
  std::vector<std::uint16_t> rules;
  const auto find = [&](std::string_view name) {
    interest.find(name, rules);
    return rules;
  };
  EXPECT_EQ(find("torch.load"), (std::vector<std::uint16_t>{1, 3}));
  EXPECT_EQ(find("torch.cuda.Event"), (std::vector<std::uint16_t>{3, 2}));
  EXPECT_EQ(find(".half"), (std::vector<std::uint16_t>{4}));
  EXPECT_EQ(find("torch.Tensor.half"), (std::vector<std::uint16_t>{4, 3}));
  EXPECT_TRUE(find("numpy.load").empty());
  EXPECT_TRUE(find("").empty());
}

TEST(ScanWords, SplitsLinesAndLeavesCommentsOut) {
  std::vector<std::string> words;
  for_each_word("export CUDA_VISIBLE_DEVICES=0,1 # bf16\r\n--bf16 ${NCCL_DEBUG} flash-attn==2.5.\n",
                project::FileKind::kShell, [&](const WordPlace& place) {
                  words.push_back(format("{}:{} {}", place.number, place.column, place.name));
                });
  EXPECT_EQ(words, (std::vector<std::string>{"1:1 export", "1:8 CUDA_VISIBLE_DEVICES", "1:29 0",
                                             "1:31 1", "2:3 bf16", "2:10 NCCL_DEBUG",
                                             "2:22 flash-attn", "2:34 2.5"}));
}

TEST(ScanSuppress, HoldsForItsLineTheNextLineOrTheFile) {
  std::vector<Suppression> all;
  collect_suppressions("a.sh",
                       "x # godwit: ignore[S042]\n# godwit: ignore\ny\n# godwit: "
                       "ignore-file[S03]\n# godwit: hello\n",
                       all);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].line, 1u);
  EXPECT_EQ(all[1].line, 3u);
  EXPECT_EQ(all[2].line, 0u);
  Findings findings;
  for (const auto& [code, line] :
       {std::pair<std::string, std::uint32_t>{"S042", 1}, {"S043", 1}, {"S043", 3}, {"S034", 9}}) {
    findings.push_back({.code = code, .place = {.file = "a.sh", .line = line}});
  }
  EXPECT_EQ(suppress(findings, all), 3u);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "S043");
  EXPECT_TRUE(all[0].used && all[1].used && all[2].used);
}

constexpr std::string_view kTrace = R"({"format": "godwit-operator-trace", "version": 1,
 "origin": {"device": "cpu", "torch": "2.13.0", "model": "m"},
 "records": [{"operator": "aten::add", "overload": "Tensor", "dtypes": ["float16"], "shapes": [[1, -1]], "count": 3,
              "direction": "backward", "module": "a.b"}, {"operator": "aten::relu"}]})";

std::vector<TraceRecord> read(std::string_view text, std::string* code = nullptr) {
  std::vector<TraceRecord> records;
  const auto header =
      read_trace(text, "t.json", [&](const TraceRecord& record) { records.push_back(record); });
  if (code != nullptr) *code = header ? "" : header.error().code;
  return records;
}

TEST(ScanTrace, ReadsDocumentsAndLines) {
  const auto records = read(kTrace);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].op, "aten::add.Tensor");
  EXPECT_TRUE(records[0].backward);
  EXPECT_EQ(records[0].count, 3u);
  EXPECT_EQ(records[0].shapes, (std::vector<std::vector<std::int64_t>>{{1, -1}}));
  EXPECT_EQ(records[1].op, "aten::relu");
  EXPECT_EQ(kTrace.substr(static_cast<std::size_t>(records[1].byte), 11), "{\"operator\"");

  const auto lines = read(
      "{\"format\": \"godwit-operator-trace\", \"version\": 1}\n{\"operator\": \"aten::mm\"}\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].op, "aten::mm");
}

TEST(ScanTrace, RefusesWhatIsNotATrace) {
  const auto code_for = [](std::string_view text) {
    std::string code;
    read(text, &code);
    return code;
  };
  const auto with_records = [](std::string_view records) {
    return format("{{\"format\": \"godwit-operator-trace\", \"version\": 1, \"records\": {}}}",
                  records);
  };
  EXPECT_EQ(code_for(""), "E050");
  EXPECT_EQ(code_for("{\"format\": \"godwit-operator-trace\", \"version\": 1, \"records\": [{"),
            "E050");
  EXPECT_EQ(code_for(std::string(100000, '[')), "E050");
  EXPECT_EQ(code_for("{}"), "E053");
  EXPECT_EQ(code_for("{\"format\": \"godwit-operator-trace\", \"version\": 2}"), "E053");
  EXPECT_EQ(code_for(with_records("{}")), "E054");
  EXPECT_EQ(code_for(with_records("[7]")), "E054");
  EXPECT_EQ(code_for(with_records("[{}]")), "E054");
  EXPECT_EQ(code_for(with_records("[{\"operator\": \"a\", \"count\": 0}]")), "E054");
  EXPECT_EQ(code_for(with_records("[{\"operator\": \"a\", \"shapes\": [[-2]]}]")), "E054");
  EXPECT_EQ(code_for(with_records("[{\"operator\": \"a\", \"direction\": \"up\"}]")), "E054");
  EXPECT_EQ(code_for(with_records("[{\"operator\": \"a\"} {}]")), "E050");
  EXPECT_EQ(code_for(with_records("[]")), "");
}

TEST(ScanEffort, CountsSubjectsOnceAndKeepsRanges) {
  std::vector<diag::Finding> findings;
  for (const std::string_view api : {"torch.a", "torch.a", "torch.b"}) {
    findings.push_back(
        {.code = "S001", .severity = diag::Severity::kError, .args = {{"api", std::string(api)}}});
  }
  const auto effort = estimate_effort(findings);
  ASSERT_TRUE(effort);
  ASSERT_EQ(effort->items.size(), 2u);
  const auto blocked =
      std::find_if(effort->items.begin(), effort->items.end(),
                   [](const EffortItem& item) { return item.item == "blocked_api"; });
  ASSERT_NE(blocked, effort->items.end());
  EXPECT_EQ(blocked->count, 2u);
  EXPECT_LT(effort->first_run.low, effort->first_run.high);
  EXPECT_EQ(blocked->status, "assumed");
}

}  // namespace
}  // namespace godwit::scan
