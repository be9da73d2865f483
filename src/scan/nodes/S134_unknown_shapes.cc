// Values without a shape in the file: what could not be judged, counted.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  const OnnxMemory& memory = scene.memory;
  if (memory.unknown_shapes == 0) return;
  out.add({{"unknown", with_thousands(memory.unknown_shapes)},
           {"values", with_thousands(memory.values)}});
}

}  // namespace

extern const NodeRule unknown_shapes = {
    .code = "S134",
    .severity = diag::Severity::kNote,
    .model = judge,
};

}  // namespace godwit::scan::nodes
