// Image inputs: AIPP takes over decoding to float, mean and variance on the chip.
#include "base/text.h"
#include "scan/atc.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  for (const onnx::Index input : scene.inputs) {
    const onnx::Value& value = scene.model.values[input];
    if (!is_image(scene.model, value)) continue;
    // AIPP and --dynamic_dims exclude each other.
    const bool excluded = shape_form(scene) == ShapeForm::kDims;
    out.add({{"input", to_valid_utf8(value.name)},
             {"channels", format("{}", scene.model.shape(value.type)[1].size)}},
            excluded ? "excluded" : "");
  }
}

}  // namespace

extern const NodeRule aipp = {
    .code = "S131",
    .severity = diag::Severity::kNote,
    .model = judge,
};

}  // namespace godwit::scan::nodes
