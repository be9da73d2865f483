// A torch.cuda name with no counterpart in the chosen torch_npu: an AttributeError after the port.
#include <array>

#include "scan/rule.h"
#include "scan/wrappers.h"

namespace godwit::scan::rules {
namespace {

// Names that other rules speak of, or that are modules on the way to a name.
constexpr std::array<std::string_view, 7> kElsewhere = {"torch.cuda.nvtx",
                                                        "torch.cuda.graph",
                                                        "torch.cuda.CUDAGraph",
                                                        "torch.cuda.make_graphed_callables",
                                                        "torch.cuda.get_device_capability",
                                                        "torch.cuda.profiler",
                                                        "torch.cuda.amp"};

bool is_elsewhere(std::string_view name) {
  for (const std::string_view prefix : kElsewhere) {
    if (name.starts_with(prefix) && (name.size() == prefix.size() || name[prefix.size()] == '.')) {
      return prefix != "torch.cuda.amp" || name.size() == prefix.size();
    }
  }
  return false;
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const Api& api : scene.inventory.apis()) {
    if (!api.name.starts_with("torch.cuda.") || is_elsewhere(api.name)) continue;
    const Result<bool> there = has_counterpart(api.name, scene.torch_npu);
    if (!there || *there) continue;
    add_at_all_places(rule, scene, api, {{"release", std::string(scene.torch_npu)}}, {}, out);
  }
}

}  // namespace

extern const Rule missing_name = {
    .code = "S010",
    .severity = diag::Severity::kError,
    .once_per_file = true,
    .finish = finish,
};

}  // namespace godwit::scan::rules
