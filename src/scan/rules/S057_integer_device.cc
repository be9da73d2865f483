// A bare integer as a device means CUDA to torch: "Torch not compiled with CUDA enabled".
#include <array>

#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using syntax::Kind;

// Variables that hold a rank by custom; nothing proves it.
constexpr std::array<std::string_view, 7> kRanks = {
    "rank", "local_rank", "gpu", "gpu_id", "device_id", "args.gpu", "args.local_rank"};

bool names_rank(std::string_view text) {
  for (const std::string_view name : kRanks) {
    if (text == name) return true;
  }
  return false;
}

void visit(const Site& site, Findings& out) {
  const auto value = site.argument("device", 0);
  if (value == syntax::kNoNode) return;
  if (site.module.tree()[value].kind == Kind::kInteger) {
    out.push_back(site.finding({{"value", std::string(site.text(value))}}));
  } else if (names_rank(site.text(value)) && site.last_part() != "cuda") {
    out.push_back(site.finding({{"value", std::string(site.text(value))}}, "rank"));
    out.back().severity = diag::Severity::kWarning;
  }
}

}  // namespace

extern const Rule integer_device = {
    .code = "S057",
    .severity = diag::Severity::kError,
    .names = {".to", "torch.Tensor.to", "torch.nn.Module.to", "torch.device"},
    .answered_by = {"P006"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
