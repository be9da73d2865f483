// A region that does not parse: the rest of the file is analysed, the region is not.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const project::Module& module : scene.project.modules) {
    if (!module.tree().has_error()) continue;
    const auto& errors = module.tree().errors();
    diag::Finding finding = make_finding(rule, scene, module, errors.front());
    finding.count = static_cast<std::uint32_t>(errors.size());
    finding.end_line =
        finding.place.line;  // a region may span the file; the start says where to look
    out.push_back(std::move(finding));
  }
}

}  // namespace

extern const Rule syntax_error = {
    .code = "S080",
    .severity = diag::Severity::kWarning,
    .finish = finish,
};

}  // namespace godwit::scan::rules
