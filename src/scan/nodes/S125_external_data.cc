// Files of external weights that are missing or shorter than the model says.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  for (const onnx::ExternalFile& file : scene.external) {
    if (file.found && file.size >= file.needed) continue;
    const Args args = {{"file", file.location},
                       {"tensors", format("{}", file.tensors)},
                       {"needed", with_thousands(file.needed)},
                       {"size", with_thousands(file.size)},
                       {"tensor", to_valid_utf8(scene.model.tensors[file.tensor].name)}};
    out.add(args, file.found ? "short" : "missing");
  }
}

}  // namespace

extern const NodeRule external_data = {
    .code = "S125",
    .severity = diag::Severity::kError,
    .model = judge,
};

}  // namespace godwit::scan::nodes
