// Rows of api/wrappers.tsv, collectives by HCCL, torch.cuda by the symbols of torch_npu.
#include "scan/wrappers.h"

#include "base/text.h"
#include "facts/hccl.h"
#include "facts/symbols.h"
#include "facts/tables.h"

namespace godwit::scan {
namespace {

using facts::Verdict;

WrapperVerdict make(std::string_view api, Verdict verdict, std::string_view said_by,
                    facts::Evidence evidence) {
  evidence.subject = api;
  WrapperVerdict out{.said_by = std::string(said_by)};
  out.eager.api = api;
  out.eager.known = verdict != Verdict::kUnknown;
  out.eager.verdict = verdict;
  out.eager.evidence.push_back(std::move(evidence));
  return out;
}

Verdict verdict_of(std::string_view word) {
  if (word == "framework") return Verdict::kFramework;
  if (word == "blocked") return Verdict::kBlocked;
  if (word == "partial") return Verdict::kPartial;
  return word == "cpu_fallback" ? Verdict::kCpuFallback : Verdict::kUnknown;
}

// Exact rows win, then the longest prefix.
Result<std::optional<WrapperVerdict>> by_table(std::string_view api) {
  ASSIGN(const Table* const table, facts::table("api/wrappers.tsv", {"api"}));
  const auto answer = [&](std::size_t row) {
    const auto cell = [&](std::string_view column) { return facts::cell(*table, row, column); };
    return make(api, verdict_of(cell("verdict")), cell("said_by"),
                {.layer = facts::Layer::kReading,
                 .table = "api/wrappers.tsv",
                 .says = std::string(cell("note")),
                 .source = std::string(cell("source")),
                 .at = std::string(cell("at"))});
  };
  const std::size_t key = table->column("api");
  if (const auto exact = table->find(key, api); !exact.empty()) return answer(exact.front());
  std::string prefix(api);
  for (; prefix.size() > 5; prefix.pop_back()) {
    const auto found = table->find(key, prefix + "*");
    const bool whole = prefix.size() == api.size() || prefix.back() == '.' ||
                       prefix.back() == '_' || api[prefix.size()] == '.' ||
                       api[prefix.size()] == '_';
    if (!found.empty() && whole) return answer(found.front());
  }
  return std::nullopt;
}

WrapperVerdict by_collective(std::string_view api, const facts::Collective& collective,
                             std::string_view said_by) {
  Verdict verdict = Verdict::kUnknown;
  switch (collective.support) {
    case facts::CollectiveSupport::kYes: verdict = Verdict::kSupported; break;
    case facts::CollectiveSupport::kNo: verdict = Verdict::kBlocked; break;
    case facts::CollectiveSupport::kConflict: verdict = Verdict::kPartial; break;
    case facts::CollectiveSupport::kUnknown: break;
  }
  return make(api, verdict, verdict == Verdict::kSupported ? std::string_view() : said_by,
              {.layer = facts::Layer::kOfficial,
               .table = "hccl.tsv",
               .says = format("{}: {}", collective.name, facts::to_string(collective.support)),
               .source = collective.source,
               .at = collective.at});
}

Result<std::optional<WrapperVerdict>> by_hccl(std::string_view api, const facts::Soc& soc) {
  const std::string_view last = api.substr(api.rfind('.') + 1);
  if (last == "DistributedDataParallel") {
    ASSIGN(const facts::Collective collective, facts::find_collective("Broadcast", soc));
    return by_collective(api, collective, "S032");
  }
  if (!api.starts_with("torch.distributed.")) return std::nullopt;
  ASSIGN(const auto collective, facts::weakest_collective(last, soc));
  if (!collective) return std::nullopt;
  return by_collective(api, *collective, "S031");
}

// "torch.nn.Linear.weight": an attribute of a layer whose call is judged by itself.
bool is_layer_attribute(std::string_view api) {
  constexpr std::string_view kLayers = "torch.nn.";
  if (!api.starts_with(kLayers)) return false;
  const std::string_view rest = api.substr(kLayers.size());
  const std::size_t dot = rest.rfind('.');
  if (dot == std::string_view::npos || dot + 1 >= rest.size()) return false;
  const std::string_view owner = rest.substr(0, dot);
  const std::size_t name = owner.find_first_not_of('_', owner.rfind('.') + 1);  // npos + 1 is 0
  const char first = name == std::string_view::npos ? '_' : owner[name];
  return first >= 'A' && first <= 'Z';
}

}  // namespace

// "torch.cuda.Event.record" is covered when "torch.cuda.Event" is.
Result<bool> has_counterpart(std::string_view cuda_name, std::string_view torch_npu) {
  constexpr std::string_view kRoot = "torch.cuda.";
  for (std::string_view at = cuda_name; at.size() > kRoot.size();
       at = at.substr(0, at.rfind('.'))) {
    ASSIGN(const auto rename, facts::find_rename(at));
    if (!rename) continue;
    ASSIGN(const bool has, facts::has_symbol(rename->symbol, torch_npu));
    if (has) return true;
  }
  return facts::has_symbol(format("torch_npu.npu.{}", cuda_name.substr(kRoot.size())), torch_npu);
}

Result<std::optional<WrapperVerdict>> wrapper_verdict(std::string_view api, const facts::Soc& soc,
                                                      std::string_view torch_npu) {
  ASSIGN(auto listed, by_table(api));
  if (listed) return listed;
  ASSIGN(auto collective, by_hccl(api, soc));
  if (collective) return collective;
  if (api == "torch.cuda") return make(api, Verdict::kFramework, {}, {});
  if (api.starts_with("torch.cuda.")) {
    ASSIGN(const bool there, has_counterpart(api, torch_npu));
    return make(api, there ? Verdict::kSupported : Verdict::kBlocked, there ? "" : "S010",
                {.layer = facts::Layer::kReading,
                 .table = "api/torch_npu_symbols.tsv",
                 .says = format("torch_npu {}", torch_npu),
                 .source = "torch_npu-packages"});
  }
  if (is_layer_attribute(api)) return make(api, Verdict::kFramework, {}, {});
  return std::nullopt;
}

}  // namespace godwit::scan
