// Imports of compiled extension modules whose source the project may not hold.
#include "base/text.h"
#include "scan/library.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

bool looks_compiled(std::string_view last) {
  return last.ends_with("_cuda") || last.ends_with("_cuda_ext") || last == "_C" || last == "_ext" ||
         last.ends_with("_kernels_cuda");
}

void visit_module(const Rule& rule, const Scene& scene, const project::Module& module,
                  Findings& out) {
  for (const project::Import& import : module.imports()) {
    const std::string_view target = module.name(import.target);
    if (target.starts_with("torch.") || !looks_compiled(target.substr(target.rfind('.') + 1)))
      continue;
    if (scene.project.find(target) != nullptr || library_of(target, scene.soc()) != nullptr)
      continue;
    const auto node = import.node == syntax::kNoNode ? import.statement : import.node;
    out.push_back(make_finding(rule, scene, module, node, {{"name", std::string(target)}}));
  }
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const project::Module& module : scene.project.modules)
    visit_module(rule, scene, module, out);
}

}  // namespace

extern const Rule compiled_module = {
    .code = "S048",
    .severity = diag::Severity::kWarning,
    .finish = finish,
};

}  // namespace godwit::scan::rules
