// torch.compile: its default backend writes Triton or C++ code, none of it for this chip by itself.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  if (site.argument("backend") != syntax::kNoNode) {
    const auto backend = site.literal("backend");
    if (!backend || *backend != "inductor") return;
  }
  const bool triton = !facts::is_no(site.scene.soc().triton);
  out.push_back(site.finding({{"api", std::string(site.name)}}, triton ? "" : "no_triton"));
}

}  // namespace

extern const Rule compile = {
    .code = "S058",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {"torch.compile", "torch._dynamo.optimize"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
