// Extensions that are built with nvcc, at install time or when the module is first imported.
#include "base/text.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

bool loads_cuda(const Site& site) {
  if (site.last_part() == "CUDAExtension" || site.last_part() == "CUDA_HOME") return true;
  if (site.argument("cuda_sources") != syntax::kNoNode ||
      site.argument("extra_cuda_cflags") != syntax::kNoNode)
    return true;
  return contains(site.text(site.argument("sources", 1)), ".cu");
}

void visit(const Site& site, Findings& out) {
  const bool extension = site.last_part() == "CUDAExtension";
  if (extension ? !site.is_call() : !site.is_call() || !loads_cuda(site)) return;
  out.push_back(site.finding({{"name", std::string(site.last_part())}}, extension ? "" : "loaded"));
}

}  // namespace

extern const Rule cuda_extension = {
    .code = "S044",
    .severity = diag::Severity::kError,
    .names = {"torch.utils.cpp_extension.CUDAExtension", "torch.utils.cpp_extension.load",
              "torch.utils.cpp_extension.load_inline"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
