// Collectives that HCCL lacks on the chip, or about which its pages contradict each other.
#include "base/text.h"
#include "facts/hccl.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using facts::CollectiveSupport;

std::string_view variant_of(CollectiveSupport support) {
  if (support == CollectiveSupport::kConflict) return "conflict";
  return support == CollectiveSupport::kUnknown ? "unknown" : "";
}

void report(const Rule& rule, const Scene& scene, const Api& api,
            const facts::Collective& collective, Findings& out) {
  const std::size_t before = out.size();
  add_at_all_places(rule, scene, api,
                    {{"collective", collective.name}, {"why", join(collective.restrictions, "; ")}},
                    variant_of(collective.support), out);
  for (std::size_t i = before; i < out.size(); ++i) {
    if (collective.support != CollectiveSupport::kNo) out[i].severity = diag::Severity::kWarning;
    out[i].properties.set("support", facts::to_string(collective.support));
    out[i].properties.set("layer", "official");
    out[i].properties.set("source", collective.source);
    out[i].properties.set("at", collective.at);
  }
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const Api& api : scene.inventory.apis()) {
    if (!api.name.starts_with("torch.distributed.")) continue;
    const std::string_view function = std::string_view(api.name).substr(api.name.rfind('.') + 1);
    const auto collective = facts::weakest_collective(function, scene.soc());
    if (!collective || !*collective || (*collective)->support == CollectiveSupport::kYes) continue;
    report(rule, scene, api, **collective, out);
  }
}

}  // namespace

extern const Rule collective = {
    .code = "S031",
    .severity = diag::Severity::kError,
    .finish = finish,
};

}  // namespace godwit::scan::rules
