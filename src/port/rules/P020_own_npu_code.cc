// A module that tests for the NPU itself knows both worlds: renaming its CUDA branch would break
// it. What an earlier run of ours renamed is no such test: new CUDA lines beside it are still to be
// ported.
#include "base/text.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool asks_for_npu(std::string_view name) {
  return contains(name, "npu_available") || name == "torch.npu.is_available" ||
         name == "torch_npu.npu.is_available";
}

bool is_npu_text(std::string_view content) {
  return content == "npu" || content.starts_with("npu:");
}

// The lines of the module that an earlier run wrote. One that stands there more often than it was
// written is a person's too.
class Written {
 public:
  Written(const Subject& subject, const World& world) : source_(subject.module().source()) {
    const auto found = world.written.find(source_.path());
    if (found == world.written.end()) return;
    LineCounts here;
    for (std::uint32_t number = 1; number <= source_.line_count(); ++number)
      ++here[std::string(trim(source_.line(number)))];
    for (const auto& [line, count] : found->second) {
      if (here[line] <= count) lines_.insert(line);
    }
  }

  bool holds(const syntax::Node& node) const {
    if (lines_.empty()) return false;
    return lines_.contains(trim(source_.line(source_.place(node.begin).line)));
  }

 private:
  const syntax::Source& source_;
  std::set<std::string, std::less<>> lines_;
};

// The first place where the module tells the NPU from other devices, or kNoNode.
NodeIndex find_branch(const Subject& subject, const World& world) {
  const Written written(subject, world);
  for (const project::Use& use : subject.module().uses()) {
    const bool asks = asks_for_npu(subject.module().name(use.name));
    if (asks && !written.holds(subject[use.node])) return use.node;
  }
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    const Kind kind = nodes[node].kind;
    bool asks = kind == Kind::kIdentifier && asks_for_npu(subject.text(node));
    if (kind == Kind::kString) {
      const auto text = subject.module().literal(node);
      asks = text && is_npu_text(*text);
    }
    if (asks && !written.holds(nodes[node])) return node;
  }
  return kNoNode;
}

bool guard(const Subject& subject, World& world, Changes& changes) {
  const NodeIndex branch = find_branch(subject, world);
  if (branch == kNoNode) return false;
  changes.leave(subject, branch, "left");
  return true;
}

}  // namespace

extern const Rule own_npu_code = {
    .code = "P020",
    .severity = diag::Severity::kNote,
    .guard = guard,
    .holds_values = true,
};

}  // namespace godwit::port::rules
