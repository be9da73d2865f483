// A file of a newer IR version than this reader knows completely.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

constexpr std::int64_t kNewestKnown = 14;

void judge(const OnnxScene& scene, NodeFindings& out) {
  if (scene.model.ir_version <= kNewestKnown) return;
  out.add(
      {{"version", format("{}", scene.model.ir_version)}, {"known", format("{}", kNewestKnown)}});
}

}  // namespace

extern const NodeRule ir_version = {
    .code = "S127",
    .severity = diag::Severity::kWarning,
    .model = judge,
};

}  // namespace godwit::scan::nodes
