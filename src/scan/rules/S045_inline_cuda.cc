// CUDA source inside Python strings, compiled when the program runs.
#include "base/text.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using syntax::Kind;
using syntax::NodeIndex;

constexpr std::string_view kKernel = "__global__";

void visit_module(const Rule& rule, const Scene& scene, const project::Module& module,
                  Findings& out) {
  if (!contains(module.source().text(), kKernel)) return;
  const auto& nodes = module.tree().nodes();
  for (NodeIndex i = 0; i < nodes.size(); ++i) {
    if (nodes[i].kind != Kind::kString || !contains(module.tree().text(i), kKernel)) continue;
    if (module.is_docstring(i)) continue;
    out.push_back(make_finding(rule, scene, module, i));
  }
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const project::Module& module : scene.project.modules)
    visit_module(rule, scene, module, out);
}

// Kernels of CuPy and PyCUDA are source text by definition, wherever the text stands.
void visit(const Site& site, Findings& out) {
  if (site.is_call()) out.push_back(site.finding({{"name", std::string(site.name)}}));
}

}  // namespace

extern const Rule inline_cuda = {
    .code = "S045",
    .severity = diag::Severity::kError,
    .names = {"cupy.RawKernel", "cupy.RawModule", "cupy.ElementwiseKernel", "cupy.ReductionKernel",
              "cupy.cuda.compile_with_cache", "pycuda.compiler.SourceModule", "numba.cuda.jit"},
    .visit = visit,
    .finish = finish,
};

}  // namespace godwit::scan::rules
