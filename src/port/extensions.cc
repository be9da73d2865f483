// Names built by setup scripts are met with the imports of the other modules.
#include "port/extensions.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::port {
namespace {

constexpr std::string_view kBuilders = "torch.utils.cpp_extension.";

std::string_view without_last(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : dotted.substr(0, dot);
}

// make_ext('ops.points_cuda', …), CUDAExtension(name="points_cuda", …): the call, or kNoNode.
NodeIndex call_named_by(const Subject& subject, NodeIndex text) {
  NodeIndex list = subject[text].parent;
  if (list != kNoNode && subject[list].kind == Kind::kKeywordArgument) {
    if (subject.text(subject.tree().child(list, Field::kName)) != "name") return kNoNode;
    list = subject[list].parent;
  } else if (list != kNoNode && subject.position(text) != 0) {
    return kNoNode;
  }
  return list != kNoNode && subject[list].kind == Kind::kArgumentList ? subject[list].parent
                                                                      : kNoNode;
}

void add_built(const Subject& subject, std::set<std::string, std::less<>>& built) {
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kString) continue;
    const NodeIndex call = call_named_by(subject, node);
    const NodeIndex function =
        call == kNoNode ? kNoNode : subject.tree().child(call, Field::kFunction);
    if (function == kNoNode || last_part(subject.text(function)) == "setup") continue;
    if (const auto name = subject.module().literal(node); name && !name->empty())
      built.emplace(last_part(*name));
  }
}

// `_backend = load(name=…, sources=[…])` when the module is imported.
void add_loaded(const Subject& subject, std::set<std::string, std::less<>>& modules) {
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    if (use.call == kNoNode || !name.starts_with(kBuilders)) continue;
    if (last_part(name) != "load" && last_part(name) != "load_inline") continue;
    const NodeIndex assignment = subject[use.call].parent;
    if (subject[assignment].kind != Kind::kAssignment || subject.scope_of(assignment) != 0)
      continue;
    modules.insert(format("{}.{}", subject.module().dotted(),
                          subject.text(subject.tree().child(assignment, Field::kLeft))));
  }
}

}  // namespace

NodeIndex cuda_build_import(const Subject& subject) {
  const auto imports = subject.module().imports();
  const bool is_setup =
      std::any_of(imports.begin(), imports.end(), [&](const project::Import& each) {
        const std::string_view target = subject.module().name(each.target);
        return target.starts_with("setuptools") || target.starts_with("distutils");
      });
  for (const project::Import& import : subject.module().imports()) {
    const std::string_view target = subject.module().name(import.target);
    if (!target.starts_with(kBuilders)) continue;
    const std::string_view name = target.substr(kBuilders.size());
    // A report on the environment asks for CUDA_HOME too.
    if (name == "CUDAExtension" || name == "BuildExtension" || (name == "CUDA_HOME" && is_setup))
      return import.statement;
  }
  return kNoNode;
}

Extensions::Extensions(const std::vector<Subject>& subjects, const Flow& flow) {
  std::set<std::string, std::less<>> built;
  for (const Subject& subject : subjects) {
    if (cuda_build_import(subject) != kNoNode) add_built(subject, built);
    add_loaded(subject, modules_);
  }
  for (const Subject& subject : subjects) {
    if (built.empty()) return;
    for (const project::Import& import : subject.module().imports()) {
      const std::string_view target = subject.module().name(import.target);
      // `import points_cuda`, `from ops import points_cuda`, `from points_cuda import query`
      for (const std::string_view name : {target, without_last(target)}) {
        if (built.contains(last_part(name)) && !flow.module(name)) modules_.emplace(name);
      }
    }
  }
}

bool Extensions::loads(const Subject& subject) const {
  const std::string below = format("{}.", subject.module().dotted());
  const auto found = modules_.lower_bound(below);
  return found != modules_.end() && found->starts_with(below);
}

bool Extensions::is_loaded(const Subject& subject, NodeIndex identifier) const {
  if (subject[identifier].kind != Kind::kIdentifier) return false;
  const std::string_view name = subject.text(identifier);
  return modules_.contains(format("{}.{}", subject.module().dotted(), name)) &&
         subject.binder(name, subject.scope_of(identifier)) == ScopeNumber{0};
}

std::string_view Extensions::find(std::string_view name) const {
  for (std::string_view part = name; !part.empty(); part = without_last(part)) {
    const auto found = modules_.find(part);
    if (found != modules_.end()) return *found;
  }
  return {};
}

}  // namespace godwit::port
