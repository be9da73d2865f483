// One pass lists the functions, a second the calls in them.
#include "port/call_graph.h"

namespace godwit::port {

CallGraph::CallGraph(const std::vector<Subject>& subjects, Flow& flow) {
  for (const Subject& subject : subjects) sites_.push_back({.subject = &subject});
  for (const Subject& subject : subjects) {
    const auto& nodes = subject.tree().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
      if (nodes[node].kind != Kind::kFunctionDefinition) continue;
      by_node_.emplace(std::pair{subject.index(), node}, static_cast<FunctionId>(sites_.size()));
      sites_.push_back({.subject = &subject, .node = node});
    }
  }
  calls_.resize(sites_.size());
  for (const Subject& subject : subjects) {
    const auto& nodes = subject.tree().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
      if (nodes[node].kind != Kind::kCall) continue;
      CallSite made{.call = node};
      for (const auto& [other, definition] : flow.called(subject, node)) {
        const auto found = by_node_.find({other->index(), definition});
        if (found != by_node_.end()) made.targets.push_back(found->second);
      }
      if (!made.targets.empty()) calls_[around(subject, node)].push_back(std::move(made));
    }
  }
}

FunctionId CallGraph::around(const Subject& subject, NodeIndex node) const {
  const NodeIndex function = subject.tree().ancestor(node, Kind::kFunctionDefinition);
  if (function == kNoNode) return top_level(subject);
  return by_node_.at({subject.index(), function});
}

std::vector<bool> CallGraph::reached(const std::vector<FunctionId>& from) const {
  std::vector<bool> seen(size());
  std::vector<FunctionId> open = from;
  for (const FunctionId id : from) seen[id] = true;
  while (!open.empty()) {
    const FunctionId id = open.back();
    open.pop_back();
    for (const CallSite& call : calls_[id]) {
      for (const FunctionId next : call.targets) {
        if (!seen[next]) open.push_back(next);
        seen[next] = true;
      }
    }
  }
  return seen;
}

}  // namespace godwit::port
