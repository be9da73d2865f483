// Switches of cuDNN, cuBLAS and TF32: the NPU has other ones, so they are said and not edited.
#include "base/text.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const UseSite& site, World&, Changes& changes) {
  const bool is_tf32 = contains(site.name, "tf32") || contains(site.name, "float32_matmul") ||
                       contains(site.name, "fp32_precision");
  const bool is_version = site.name.ends_with("version") || site.name.ends_with("is_available") ||
                          site.name.ends_with("is_built");
  changes.as(is_version ? diag::Severity::kWarning : diag::Severity::kNote)
      .leave(site.subject, site.use.node,
             is_tf32      ? "tf32"
             : is_version ? "version"
                          : "left",
             {{"name", std::string(site.name)}});
}

}  // namespace

extern const Rule cudnn_flags = {
    .code = "P015",
    .severity = diag::Severity::kNote,
    .names = {"torch.backends.cudnn.*", "torch.backends.cuda.*",
              "torch.set_float32_matmul_precision"},
    .use = visit,
};

}  // namespace godwit::port::rules
