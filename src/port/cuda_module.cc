// Aligns names as written with their qualified form, and judges import statements as a whole.
#include "port/cuda_module.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::port {
namespace {

// Identifiers of a.b.c from left to right.
std::vector<NodeIndex> parts_of(const Subject& subject, NodeIndex dotted) {
  std::vector<NodeIndex> parts;
  NodeIndex at = dotted;
  while (at != kNoNode && subject[at].kind == Kind::kAttribute) {
    parts.push_back(subject.tree().child(at, Field::kAttribute));
    at = subject.tree().child(at, Field::kObject);
  }
  if (at != kNoNode) parts.push_back(at);
  std::reverse(parts.begin(), parts.end());
  return parts;
}

NodeIndex root_of(const Subject& subject, NodeIndex dotted) {
  while (subject[dotted].kind == Kind::kAttribute)
    dotted = subject.tree().child(dotted, Field::kObject);
  return dotted;
}

}  // namespace

bool is_cuda_name(std::string_view name) {
  return name == "torch.cuda" || name.starts_with("torch.cuda.");
}

CudaParts cuda_parts(const Subject& subject, NodeIndex dotted, std::string_view qualified) {
  const std::vector<NodeIndex> parts = parts_of(subject, dotted);
  const std::size_t depth = split(qualified, '.').size();
  CudaParts found{.last = parts.back()};
  // torch.cuda.X has `cuda` depth - 2 parts before the last one.
  if (depth < 2 || parts.size() + 1 < depth) return found;
  const NodeIndex candidate = parts[parts.size() + 1 - depth];
  if (subject.text(candidate) == "cuda") found.cuda = candidate;
  return found;
}

std::vector<CudaImport> cuda_imports(const Subject& subject, NodeIndex statement,
                                     const World& world) {
  std::vector<CudaImport> found;
  for (const project::Import& import : subject.module().imports()) {
    if (import.statement != statement) continue;
    const std::string_view target = subject.module().name(import.target);
    // `import torch.cuda` binds torch; the dotted name says what is meant.
    const std::string_view written = import.node == kNoNode ? target : subject.text(import.node);
    const std::string_view full = is_cuda_name(written) && !is_cuda_name(target) ? written : target;
    if (!is_cuda_name(full)) continue;
    const auto counterpart = world.names.find(full);
    found.push_back(
        {.import = &import, .target = full, .counterpart = counterpart ? *counterpart : nullptr});
  }
  return found;
}

bool is_import_editable(const Subject& subject, const UseSite& site, const World& world) {
  const NodeIndex root = root_of(subject, site.use.node);
  for (const project::Import& import : subject.module().imports()) {
    if (subject.module().name(import.bound) != subject.text(root)) continue;
    if (!is_cuda_name(subject.module().name(import.target))) continue;
    for (const CudaImport& other : cuda_imports(subject, import.statement, world)) {
      if (!other.is_fine() || other.import->is_star) return false;
    }
  }
  return true;
}

}  // namespace godwit::port
