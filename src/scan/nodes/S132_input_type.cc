// Inputs of types that the page of ATC does not list for ONNX models.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  for (const onnx::Index input : scene.inputs) {
    const onnx::Value& value = scene.model.values[input];
    const std::string_view type = ir::code(value.type.element);
    if (type == "fp32" || type == "fp16" || type == "u8" || type == "?") continue;
    const bool is_integer = type == "i32" || type == "i64" || type == "b";
    out.add({{"input", to_valid_utf8(value.name)}, {"dtype", std::string(type)}},
            is_integer ? "integer" : "")
        .severity = is_integer ? diag::Severity::kNote : diag::Severity::kWarning;
  }
}

}  // namespace

extern const NodeRule input_type = {
    .code = "S132",
    .severity = diag::Severity::kWarning,
    .model = judge,
};

}  // namespace godwit::scan::nodes
