// Strings, complex numbers, sequences and optionals: types that the AI cores do not have.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

std::string_view kind_of(const onnx::Type& type) {
  using Kind = onnx::Type::Kind;
  switch (type.element) {
    case onnx::ElementType::kString: return "string";
    case onnx::ElementType::kComplex64:
    case onnx::ElementType::kComplex128: return "complex";
    default: break;
  }
  if (type.kind == Kind::kSequence) return "sequence";
  if (type.kind == Kind::kMap) return "map";
  if (type.kind == Kind::kOptional) return "optional";
  return type.kind == Kind::kSparse ? "sparse" : "";
}

void judge(const OnnxScene& scene, NodeFindings& out) {
  std::map<std::string_view, std::size_t> counts;
  for (const onnx::Value& value : scene.model.values) ++counts[kind_of(value.type)];
  for (const onnx::Graph& graph : scene.model.graphs) counts["sparse"] += graph.sparse;
  for (const auto& [kind, count] : counts) {
    if (kind.empty() || count == 0) continue;
    out.add({{"kind", std::string(kind)}, {"values", format("{}", count)}}, kind).count =
        static_cast<std::uint32_t>(count);
  }
}

}  // namespace

extern const NodeRule other_types = {
    .code = "S111",
    .severity = diag::Severity::kWarning,
    .model = judge,
};

}  // namespace godwit::scan::nodes
