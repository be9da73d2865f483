// A model file that protobuf readers refuse because of its size.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

// protobuf keeps sizes of messages in a signed 32-bit number.
constexpr std::uint64_t kMostBytes = (std::uint64_t{1} << 31) - 1;

void judge(const OnnxScene& scene, NodeFindings& out) {
  if (scene.file_bytes <= kMostBytes) return;
  out.add({{"size", human_bytes(scene.file_bytes)}});
}

}  // namespace

extern const NodeRule two_gigabytes = {
    .code = "S126",
    .severity = diag::Severity::kError,
    .model = judge,
};

}  // namespace godwit::scan::nodes
