// Switches of cuDNN, cuBLAS and TF32: the NPU has other ones, so they are said and not edited.
#include <utility>

#include "base/text.h"
#include "port/rule.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

constexpr std::pair<std::string_view, std::string_view> kSwitches[] = {
    {"torch.backends.cuda.matmul.allow_tf32", "matmul.allow_hf32"},
    {"torch.backends.cudnn.allow_tf32", "conv.allow_hf32"},
};

// The chip has a switch of the same kind: fp32 products may lose low bits of their factors. HF32
// keeps 11 bits as TF32 does, but rounds on its own, so the place is said as well.
bool map_switch(const UseSite& site, const World& world, Changes& changes) {
  const Subject& subject = site.subject;
  if (is_portable(world) || world.soc.fp32_matmul != facts::Fp32Matmul::kHf32) return false;
  if (site.use.proof != project::Proof::kImport || !subject.is_written_in_full(site.use.node))
    return false;
  for (const auto& [cuda, npu] : kSwitches) {
    if (site.name != cuda) continue;
    if (!world.names.has(format("torch_npu.npu.{}", npu))) return false;
    changes.replace(subject, site.use.node, format("torch.npu.{}", npu), Proof::kTable);
    changes.leave(subject, site.use.node, "hf32", {{"name", format("torch.npu.{}", npu)}});
    return true;
  }
  return false;
}

void visit(const UseSite& site, World& world, Changes& changes) {
  if (map_switch(site, world, changes)) return;
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
              "torch.set_float32_matmul_precision", "torch.nn.attention.sdpa_kernel"},
    .use = visit,
};

}  // namespace godwit::port::rules
