// An input of the model with a dimension of size 0, which ATC refuses.
#include <algorithm>

#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  for (const onnx::Index input : scene.inputs) {
    const onnx::Value& value = scene.model.values[input];
    const auto dims = scene.model.shape(value.type);
    if (std::any_of(dims.begin(), dims.end(), [](const onnx::Dim& dim) { return dim.size == 0; })) {
      out.add({{"input", to_valid_utf8(value.name)}});
    }
  }
}

}  // namespace

extern const NodeRule zero_dimension = {
    .code = "S114",
    .severity = diag::Severity::kError,
    .model = judge,
};

}  // namespace godwit::scan::nodes
