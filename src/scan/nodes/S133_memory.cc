// Weights and live values against the memory of one device.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  const std::uint64_t card = scene.target.memory();
  const OnnxMemory& memory = scene.memory;
  const std::uint64_t needed = memory.fp16_bytes + memory.peak_bytes;
  if (card == 0 || needed < card / 10 * 7) return;
  diag::Finding& found = out.add({{"needed", human_bytes(needed)},
                                  {"weights", human_bytes(memory.fp16_bytes)},
                                  {"activations", human_bytes(memory.peak_bytes)},
                                  {"card", human_bytes(card)}},
                                 needed > card ? "over" : "");
  if (needed > card) found.severity = diag::Severity::kError;
}

}  // namespace

extern const NodeRule memory = {
    .code = "S133",
    .severity = diag::Severity::kWarning,
    .model = judge,
};

}  // namespace godwit::scan::nodes
