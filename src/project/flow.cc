// Which bindings of a name can reach a use, read from the nesting of statements.
//
// A binding whose region holds the use, and that stands before it, hides all earlier ones. Those
// after it in other regions may have run (unless they are the other arm of the same `if`), and
// inside a loop also those that stand after the use. From another scope all bindings reach.
#include "project/evaluator.h"

namespace godwit::project {

using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

void Evaluator::reaching(NodeIndex node, ScopeId scope, bool runs_here, std::uint32_t last,
                         Reached& out) const {
  const bool flows = runs_here && bindings_.scopes[scope].kind != Scope::Kind::kComprehension;
  NodeIndex dominating = kNoNode;
  bool has_later = false;
  for (std::uint32_t index = last; index != kNoIndex && !out.is_full();
       index = bindings_.bindings[index].before) {
    const Binding& binding = bindings_.bindings[index];
    if (!flows) {
      out.add(index);
      continue;
    }
    if (binding.from > node) {
      has_later = true;
      continue;
    }
    const bool holds = binding.region <= node && node < at(binding.region).past;
    if (!holds && is_exclusive(binding, node)) continue;
    out.add(index);
    if (holds) {
      dominating = binding.node;
      break;
    }
  }
  if (!flows) return;
  if (has_later) add_loop_carried(node, scope, dominating, last, out);
  // Used before every binding: some path that we do not see binds it.
  if (out.count == 0) reaching(node, scope, false, last, out);
}

// The other arm of an `if` that the use stands in: only one of the two runs.
bool Evaluator::is_exclusive(const Binding& binding, NodeIndex node) const {
  NodeIndex arm = binding.region;
  NodeIndex outer = at(arm).parent;
  while (outer != kNoNode && !(outer <= node && node < at(outer).past)) {
    arm = outer;
    outer = at(arm).parent;
  }
  if (outer == kNoNode) return false;
  if (at(outer).kind == Kind::kIf) return true;
  return at(arm).kind == Kind::kCaseClause;
}

void Evaluator::add_loop_carried(NodeIndex node, ScopeId scope, NodeIndex dominating,
                                 std::uint32_t last, Reached& out) const {
  const NodeIndex body = bindings_.infos[scope].body;
  NodeIndex loop = kNoNode;  // the outermost that runs again without passing the dominating one
  for (NodeIndex outer = at(node).parent; outer != kNoNode && outer > body;
       outer = at(outer).parent) {
    const Kind kind = at(outer).kind;
    if (kind != Kind::kFor && kind != Kind::kWhile) continue;
    if (dominating != kNoNode && outer <= dominating && dominating < at(outer).past) break;
    loop = outer;
  }
  if (loop == kNoNode) return;
  for (std::uint32_t index = last; index != kNoIndex && !out.is_full();
       index = bindings_.bindings[index].before) {
    const Binding& binding = bindings_.bindings[index];
    if (binding.from <= node) break;
    if (loop <= binding.node && binding.node < at(loop).past) out.add(index);
  }
}

}  // namespace godwit::project
