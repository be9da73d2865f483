// Which bindings of a name can reach a use, read from the nesting of statements.
//
// A binding whose region holds the use, and that stands before it, hides all earlier ones. Those
// after it in other regions may have run (unless they are the other arm of the same `if`), and
// inside a loop also those that stand after the use. From another scope all bindings reach.
#include "project/evaluator.h"

#include <algorithm>

namespace godwit::project {

using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

namespace {

constexpr std::size_t kMostPassedOver = 1024;

}  // namespace

// A binding of the chain that ends with `last`, from which on backwards some can hold at the node:
// all after it come later. A name that a program binds thousands of times would otherwise be
// walked through for each of its uses.
std::uint32_t Evaluator::last_before(NodeIndex node, std::uint32_t last) {
  constexpr int kNear = 64;
  std::uint32_t near = last;
  for (int steps = 0; near != kNoIndex && bindings_.bindings[near].from > node; ++steps) {
    if (steps == kNear) break;
    near = bindings_.bindings[near].before;
  }
  if (near == kNoIndex || bindings_.bindings[near].from <= node) return last;
  Chain& chain = long_chains_[last];
  if (chain.bindings.empty()) {
    NodeIndex least = kNoNode;
    for (std::uint32_t at = last; at != kNoIndex; at = bindings_.bindings[at].before) {
      least = std::min(least, bindings_.bindings[at].from);
      chain.bindings.push_back(at);
      chain.begins.push_back(least);
    }
  }
  const auto found = std::partition_point(chain.begins.begin(), chain.begins.end(),
                                          [&](NodeIndex least) { return least > node; });
  const auto at = static_cast<std::size_t>(found - chain.begins.begin());
  return at == chain.bindings.size() ? kNoIndex : chain.bindings[at];
}

void Evaluator::reaching(NodeIndex node, ScopeId scope, bool runs_here, std::uint32_t last,
                         Reached& out) {
  const bool flows = runs_here && bindings_.scopes[scope].kind != Scope::Kind::kComprehension;
  NodeIndex dominating = kNoNode;
  const std::uint32_t first = flows ? last_before(node, last) : last;
  bool has_later = first != last;
  std::size_t passed_over = 0;
  for (std::uint32_t index = first; index != kNoIndex && !out.is_full();
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
    if (!holds && is_exclusive(binding, node)) {
      // An `elif` chain of thousands: more is not looked at than would be for any other name.
      if (++passed_over > kMostPassedOver) out.count = Reached::kMost + 1;
      continue;
    }
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
