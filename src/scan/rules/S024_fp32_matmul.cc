// FP32 matrix products that the chip computes in fewer bits without saying so.
#include <array>

#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using facts::Fp32Matmul;

constexpr std::array<std::string_view, 22> kProducts = {"torch.nn.Linear",
                                                        "torch.nn.Conv1d",
                                                        "torch.nn.Conv2d",
                                                        "torch.nn.Conv3d",
                                                        "torch.nn.ConvTranspose1d",
                                                        "torch.nn.ConvTranspose2d",
                                                        "torch.nn.ConvTranspose3d",
                                                        "torch.nn.MultiheadAttention",
                                                        "torch.nn.LSTM",
                                                        "torch.nn.GRU",
                                                        "torch.nn.functional.linear",
                                                        "torch.nn.functional.conv1d",
                                                        "torch.nn.functional.conv2d",
                                                        "torch.nn.functional.conv3d",
                                                        "torch.matmul",
                                                        "torch.mm",
                                                        "torch.bmm",
                                                        "torch.einsum",
                                                        "torch.addmm",
                                                        "torch.baddbmm",
                                                        "torch.Tensor.matmul",
                                                        "torch.Tensor.bmm"};

constexpr std::array<std::string_view, 8> kHalf = {
    "*.half",      "torch.float16",  "torch.half", "torch.cuda.amp.*",
    "torch.amp.*", "torch.autocast", "apex.*",     "accelerate.*"};

// A project that computes in half precision by itself has met these roundings before.
bool uses_half(const Scene& scene) {
  for (const std::string_view pattern : kHalf) {
    if (scene.inventory.count(pattern) > 0) return true;
  }
  return false;
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  const Fp32Matmul kind = scene.soc().fp32_matmul;
  if (kind != Fp32Matmul::kFp16 && kind != Fp32Matmul::kHf32) return;
  const Api* first = nullptr;
  std::size_t products = 0;
  for (const std::string_view name : kProducts) {
    const Api* const api = scene.inventory.find(name);
    if (api == nullptr) continue;
    products += api->places.size();
    if (first == nullptr) first = api;
  }
  if (first == nullptr) return;
  const bool half = uses_half(scene);
  const bool to_half = kind == Fp32Matmul::kFp16;
  diag::Finding finding = make_finding(rule, scene, *first, {{"count", std::to_string(products)}},
                                       !to_half ? "hf32"
                                       : half   ? "mixed"
                                                : "");
  if (!to_half || half) finding.severity = diag::Severity::kNote;
  finding.count = static_cast<std::uint32_t>(products);
  const auto ability = scene.soc().abilities.find("fp32_matmul");
  if (ability != scene.soc().abilities.end()) {
    finding.properties.set("source", ability->second.source);
    finding.properties.set("basis", ability->second.basis);
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule fp32_matmul = {
    .code = "S024",
    .severity = diag::Severity::kWarning,
    .finish = finish,
};

}  // namespace godwit::scan::rules
