// Host names by pattern, and names of the device layer through their torch.npu counterpart.
#include "facts/host.h"

#include "base/text.h"
#include "facts/symbols.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

// "torch.nn.*.weight", "torch.fx.**" and "torchvision.models.*_Weights.**": part by part.
bool matches(std::string_view pattern, std::string_view name) {
  for (;;) {
    const std::size_t end = pattern.find('.');
    const std::string_view part = pattern.substr(0, end);
    if (part == "**") return true;
    const std::size_t name_end = name.find('.');
    const bool is_tail = part.size() > 1 && part.front() == '*';  // "*_Weights"
    const std::string_view own = name.substr(0, name_end);
    if (is_tail ? !own.ends_with(part.substr(1)) : part != "*" && part != own) return false;
    const bool last = end == std::string_view::npos, name_last = name_end == std::string_view::npos;
    if (last || name_last) return last && name_last;
    pattern.remove_prefix(end + 1);
    name.remove_prefix(name_end + 1);
  }
}

void speak(EagerVerdict& verdict, Evidence evidence) {
  evidence.layer = Layer::kReading;
  verdict.evidence.push_back(std::move(evidence));
  verdict.verdict = Verdict::kFramework;
  verdict.known = true;
}

// torch.cuda.amp.GradScaler.scale: the class has a counterpart, so its methods have.
Status judge_device_layer(EagerVerdict& verdict) {
  for (std::string_view at = verdict.api; at.starts_with("torch.cuda.");
       at = at.substr(0, at.rfind('.'))) {
    ASSIGN(const auto rename, find_rename(at));
    if (!rename) continue;
    speak(verdict, {.table = "api/renames.tsv",
                    .subject = std::string(at),
                    .says = format("{} on the NPU", rename->npu)});
    return {};
  }
  return {};
}

// torch.amp.GradScaler.update: torch_npu has a class of its own, which takes other operators.
Status judge_own_class(EagerVerdict& verdict) {
  constexpr std::string_view kAmp = "torch.amp.";
  if (!verdict.api.starts_with(kAmp)) return {};
  const std::string own = format("torch_npu.npu.amp.{}", verdict.api.substr(kAmp.size()));
  ASSIGN(const auto symbol, find_symbol(own));
  if (!symbol) return {};
  verdict.offenders.clear();
  speak(verdict, {.table = "api/torch_npu_symbols.tsv",
                  .subject = own,
                  .says = "torch_npu's own, with operators of its own",
                  .source = "torch_npu-packages"});
  return {};
}

}  // namespace

Status judge_host(EagerVerdict& verdict) {
  TRY(judge_own_class(verdict));
  if (verdict.verdict != Verdict::kUnknown || !verdict.api.starts_with("torch")) return {};
  ASSIGN(const Table* const names, table("api/host.tsv", {}));
  for (std::size_t row = 0; row < names->rows(); ++row) {
    if (!matches(cell(*names, row, "name"), verdict.api)) continue;
    speak(verdict, {.table = "api/host.tsv",
                    .subject = std::string(cell(*names, row, "name")),
                    .says = std::string(cell(*names, row, "why")),
                    .source = std::string(cell(*names, row, "source"))});
    return {};
  }
  return judge_device_layer(verdict);
}

}  // namespace godwit::facts
