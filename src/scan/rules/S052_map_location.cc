// A checkpoint saved on CUDA is loaded onto CUDA unless map_location names a device that exists.
#include "base/text.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  if (!site.is_call()) return;
  for (const project::Argument& argument : site.module.arguments(site.use->call)) {
    if (argument.is_starred) return;  // **kwargs may hold it
  }
  const auto where = site.argument("map_location", 1);
  if (where == syntax::kNoNode) {
    out.push_back(site.finding({{"api", std::string(site.name)}}));
    return;
  }
  const auto literal = site.module.literal(where);
  if (literal && literal->starts_with("cuda")) {
    out.push_back(
        site.finding({{"api", std::string(site.name)}, {"device", std::string(*literal)}}, "cuda"));
  }
}

}  // namespace

extern const Rule map_location = {
    .code = "S052",
    .severity = diag::Severity::kWarning,
    .names = {"torch.load", "torch.jit.load", "torch.hub.load_state_dict_from_url"},
    .answered_by = {"P014"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
