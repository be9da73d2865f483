// Telling host work from device work by the arguments of a call and the expression before it.
#include "scan/host.h"

#include <string>

#include "facts/tables.h"

namespace godwit::scan {
namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

// What api/factories.tsv says of an API: "no_device", "constructor", or nothing.
std::string_view host_rule(std::string_view api) {
  const auto table = facts::table("api/factories.tsv", {"api"});
  if (!table) return {};
  const std::size_t key = (*table)->column("api");
  auto found = (*table)->find(key, api);
  if (found.empty())
    found = (*table)->find(key, std::string(api.substr(0, api.rfind('.') + 1)) + "*");
  return found.empty() ? std::string_view() : facts::cell(**table, found.front(), "on_host");
}

// Arguments that are not written out may hold a device; `out` and `generator` have one.
bool may_name_device(const project::Module& module, NodeIndex call) {
  for (const project::Argument& each : module.arguments(call)) {
    if (each.keyword == "device" || each.keyword == "out" || each.keyword == "generator")
      return true;
    if (!each.is_starred) continue;
    const NodeIndex parent = module.tree()[each.value].parent;
    if (parent == kNoNode || module.tree()[parent].kind != Kind::kListSplat) return true;
  }
  return false;
}

bool builds_a_module(const project::Module& module, NodeIndex call) {
  const project::Scope& scope = module.scopes()[module.scope_of(call)];
  if (scope.kind != project::Scope::Kind::kFunction) return false;
  std::string_view name = module.name(scope.name);
  name = name.substr(name.rfind('.') + 1);
  return name.find("init") != std::string_view::npos || name == "reset_parameters";
}

// `torch.device("cuda")` as the subject of a `with`.
bool is_entered(const syntax::Tree& tree, NodeIndex call) {
  const NodeIndex parent = tree[call].parent;
  return parent != kNoNode && tree[parent].kind == Kind::kWithItem;
}

bool moves_to_host(const project::Module& module, NodeIndex call, std::string_view method) {
  if (method == "cpu" || method == "numpy") return true;
  return method == "to" && module.literal(module.argument(call, "device", 0)).value_or("") == "cpu";
}

}  // namespace

bool changes_default_device(const project::Project& project) {
  for (const project::Module& module : project.modules) {
    for (const project::Use& use : module.uses()) {
      const std::string_view name = module.name(use.name);
      if (name == "torch.set_default_device" || name == "torch.set_default_tensor_type")
        return true;
      if (name == "torch.device" && use.call != kNoNode && is_entered(module.tree(), use.call))
        return true;
    }
  }
  return false;
}

bool is_host_work(std::string_view api, const project::Module& module, NodeIndex call) {
  if (call == kNoNode) return false;
  const std::string_view rule = host_rule(api);
  if (rule == "constructor") return builds_a_module(module, call);
  return rule == "no_device" && !may_name_device(module, call);
}

bool follows_move_to_host(const project::Module& module, NodeIndex node) {
  const syntax::Tree& tree = module.tree();
  const NodeIndex parent = tree[node].parent;
  if (parent != kNoNode && tree[parent].kind == Kind::kArgumentList)
    node = tree.child(tree[parent].parent, Field::kFunction);
  while (node != kNoNode && tree[node].kind == Kind::kAttribute) {
    const NodeIndex call = tree.child(node, Field::kObject);
    if (call == kNoNode || tree[call].kind != Kind::kCall) return false;
    node = tree.child(call, Field::kFunction);
    if (node == kNoNode || tree[node].kind != Kind::kAttribute) return false;
    const std::string_view method = tree.text(tree.child(node, Field::kAttribute));
    if (moves_to_host(module, call, method)) return true;
    if (method == "cuda" || method == "npu" || method == "to") return false;
  }
  return false;
}

}  // namespace godwit::scan
