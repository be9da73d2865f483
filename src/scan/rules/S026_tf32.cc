// TF32 switches of CUDA: they do nothing on an NPU, which has its own switch for HF32.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const bool has_hf32 = site.scene.soc().fp32_matmul == facts::Fp32Matmul::kHf32;
  out.push_back(site.finding({{"name", std::string(site.name)}}, has_hf32 ? "hf32" : ""));
}

}  // namespace

extern const Rule tf32 = {
    .code = "S026",
    .severity = diag::Severity::kNote,
    .once_per_file = true,
    .names = {"torch.backends.cuda.matmul.allow_tf32", "torch.backends.cudnn.allow_tf32",
              "torch.set_float32_matmul_precision"},
    .answered_by = {"P015"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
