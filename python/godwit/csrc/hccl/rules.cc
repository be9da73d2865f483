// What HCCL lacks on the chip: Python turns the facts into a table of refusals once, every call is
// looked up in it.
#include "hccl.h"

#include <array>
#include <atomic>
#include <ctime>
#include <mutex>
#include <unordered_map>

#include <unistd.h>

#include <c10/util/Exception.h>
#include <torch/library.h>

#include "../device.h"

namespace godwit::hccl {
namespace {

using Texts = std::unordered_map<std::string, std::string>;

// Written once by Python before the first group exists, read by every thread afterwards.
struct Rules {
  Texts texts;     // key -> template with {places}
  Texts refusals;  // "Broadcast", "AllReduce i64", "AllReduce i16 prod" -> why, and what to do
  Texts doubts;    // the same keys -> said once, then allowed
  std::unordered_map<std::string, int64_t> most_ranks;  // "AlltoAll" -> 4
  std::string missing = "error";                        // error, warn, fallback
  bool one_process_per_card = false;
};

Rules rules;
std::mutex counting;
std::map<std::string, int64_t> counted;  // refusals that `--missing` let pass, doubts: how often

Texts to_map(const c10::Dict<std::string, std::string>& dict) {
  Texts map;
  for (const auto& item : dict) map[item.key()] = item.value();
  return map;
}

// True the first time.
bool count(const std::string& key) {
  const std::lock_guard lock(counting);
  return ++counted[key] == 1;
}

void refuse(const Call& call, const std::string& key, const std::string& why) {
  if (rules.missing == "error") {
    TORCH_CHECK(false, call.name, ": HCCL function error: Hccl", call.collective,
                ", error code is 5", error_tail("ERR02200 DIST call hccl api failed."), "\n", why);
  }
  if (count(key) && rules.missing == "warn") TORCH_WARN(why);
}

}  // namespace

const char* type_name(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::kChar: return "i8";
    case c10::kBool:  // sent as bytes
    case c10::kByte: return "u8";
    case c10::kShort: return "i16";
    case c10::kInt: return "i32";
    case c10::kLong: return "i64";
#if GODWIT_TORCH >= 203
    case c10::kUInt16: return "u16";
    case c10::kUInt32: return "u32";
    case c10::kUInt64: return "u64";
#endif
    case c10::kHalf: return "fp16";
    case c10::kFloat: return "fp32";
    case c10::kDouble: return "fp64";
    case c10::kBFloat16: return "bf16";
    default: return "";
  }
}

std::string text(const std::string& key, const std::map<std::string, std::string>& places) {
  const auto found = rules.texts.find(key);
  std::string result = found == rules.texts.end() ? key : found->second;
  for (const auto& [name, value] : places) {
    const std::string place = "{" + name + "}";
    for (size_t at = result.find(place); at != std::string::npos;
         at = result.find(place, at + value.size())) {
      result.replace(at, place.size(), value);
    }
    if (found == rules.texts.end()) result += " " + name + "=" + value;
  }
  return result;
}

std::string error_tail(const char* code) {
  std::array<char, 32> when{};
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  std::strftime(when.data(), when.size(), "%Y-%m-%d-%H:%M:%S", localtime_r(&now, &local));
  const char* rank = std::getenv("RANK");
  return c10::str("\n[ERROR] ", when.data(), " (PID:", getpid(), ", Device:", int{current_card()},
                  ", RankID:", rank ? rank : "-1", ") ", code);
}

void check_supported(const Call& call, int ranks) {
  TORCH_CHECK(call.dtype == c10::ScalarType::Undefined || *type_name(call.dtype), call.name,
              ": Unsupported data type for HCCL process group: ", c10::toString(call.dtype),
              error_tail("ERR02007 DIST feature not supported."));
  const std::string collective = call.collective;
  const std::string typed = collective + " " + type_name(call.dtype);
  for (const std::string& key : {collective, typed, typed + " " + call.reduce}) {
    if (const auto found = rules.refusals.find(key); found != rules.refusals.end()) {
      return refuse(call, key, found->second);
    }
    const auto doubt = rules.doubts.find(key);
    if (doubt != rules.doubts.end() && count(key)) TORCH_WARN(doubt->second);
  }
  if (const auto most = rules.most_ranks.find(collective);
      most != rules.most_ranks.end() && ranks > most->second) {
    refuse(call, collective + " ranks",
           text("hccl_most_ranks", {{"collective", collective},
                                    {"found", std::to_string(ranks)},
                                    {"most", std::to_string(most->second)}}));
  }
}

bool is_one_process_per_card() { return rules.one_process_per_card; }

}  // namespace godwit::hccl

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  using namespace godwit::hccl;
  using Dict = c10::Dict<std::string, std::string>;
  m.def(
      "hccl_configure(Dict(str, str) texts, Dict(str, str) refusals, Dict(str, str) doubts, "
      "Dict(str, int) most_ranks, str missing, bool one_process_per_card) -> ()",
      [](const Dict& texts, const Dict& refusals, const Dict& doubts,
         const c10::Dict<std::string, int64_t>& most_ranks, const std::string& missing,
         bool one_process_per_card) {
        rules.texts = to_map(texts);
        rules.refusals = to_map(refusals);
        rules.doubts = to_map(doubts);
        rules.most_ranks.clear();
        for (const auto& item : most_ranks) rules.most_ranks[item.key()] = item.value();
        rules.missing = missing;
        rules.one_process_per_card = one_process_per_card;
      });
  m.def("hccl_counted() -> Dict(str, int)", []() {
    const std::lock_guard lock(counting);
    c10::Dict<std::string, int64_t> result;
    for (const auto& [key, times] : counted) result.insert(key, times);
    return result;
  });
}
