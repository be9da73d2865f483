// From each backward pass outwards: the first loop over data around it, or else around the calls of
// its function, until nothing new is found.
#include "port/batch_loops.h"

namespace godwit::port {

std::string_view method_of(const Subject& subject, NodeIndex call) {
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  if (function == kNoNode || subject[function].kind != Kind::kAttribute) return {};
  const NodeIndex name = subject.tree().child(function, Field::kAttribute);
  return name == kNoNode ? std::string_view() : subject.text(name);
}

bool counts_rounds(const Subject& subject, NodeIndex loop) {
  if (subject[loop].kind == Kind::kWhile) return true;
  const NodeIndex data = subject.tree().child(loop, Field::kRight);
  if (data == kNoNode || subject[data].kind != Kind::kCall) return false;
  NodeIndex call = data;
  const auto arguments = subject.module().arguments(call);
  // tqdm(range(n)) counts as well.
  if (!arguments.empty() && subject[arguments[0].value].kind == Kind::kCall) {
    call = arguments[0].value;
  }
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  if (function == kNoNode) return false;
  const std::string_view name = subject.text(function);
  return name == "range" || name == "xrange" || name.ends_with("trange") ||
         name == "itertools.count";
}

namespace {

bool is_draw(const Subject& subject, NodeIndex node) {
  if (subject[node].kind != Kind::kCall) return false;
  const NodeIndex function = subject.tree().child(node, Field::kFunction);
  return function != kNoNode && subject.text(function) == "next";
}

// next(batches), next(self.batches), next(iter(loader)); not next(net.parameters()).
bool takes_batch(const Subject& subject, NodeIndex draw) {
  const auto arguments = subject.module().arguments(draw);
  if (arguments.empty()) return false;
  const NodeIndex value = arguments[0].value;
  if (subject[value].kind != Kind::kCall)
    return subject[value].kind == Kind::kIdentifier || subject[value].kind == Kind::kAttribute;
  const NodeIndex function = subject.tree().child(value, Field::kFunction);
  return function != kNoNode && subject.text(function) == "iter";
}

}  // namespace

bool draws_batches(const Subject& subject, NodeIndex loop) {
  for (NodeIndex node = loop; node < subject[loop].past; ++node) {
    if (!is_draw(subject, node)) continue;
    const std::vector<NodeIndex> around = loops_around(subject, node);
    if (!around.empty() && around.front() == loop) return true;
  }
  return false;
}

std::vector<NodeIndex> loops_around(const Subject& subject, NodeIndex node) {
  std::vector<NodeIndex> loops;
  for (NodeIndex at = node, up = subject[node].parent; up != kNoNode;
       at = up, up = subject[up].parent) {
    const Kind kind = subject[up].kind;
    if (kind == Kind::kFunctionDefinition || kind == Kind::kClassDefinition) break;
    const bool is_loop = kind == Kind::kFor || kind == Kind::kWhile;
    if (is_loop && subject[at].field == Field::kBody) loops.push_back(up);
  }
  return loops;
}

BatchLoops::BatchLoops(const CallGraph& graph, const std::vector<Subject>& subjects)
    : graph_(graph), steps_(graph.size()), backwards_(graph.size()), drawing_(graph.size()) {
  for (const Subject& subject : subjects) {
    const auto& nodes = subject.tree().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
      if (nodes[node].kind != Kind::kCall) continue;
      if (method_of(subject, node) == "backward")
        backwards_[graph.around(subject, node)].push_back(node);
      if (is_draw(subject, node) && takes_batch(subject, node) &&
          loops_around(subject, node).empty())
        drawing_[graph.around(subject, node)] = true;
    }
  }
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (FunctionId id = 0; id < graph.size(); ++id) {
      for (const NodeIndex call : backwards_[id]) is_new = add(id, call) || is_new;
      for (const CallSite& call : graph.calls(id)) {
        bool runs_step = false;
        for (const FunctionId target : call.targets) runs_step = runs_step || steps_[target];
        if (runs_step) is_new = add(id, call.call) || is_new;
      }
    }
  }
}

bool BatchLoops::hold(const Subject& subject, NodeIndex node) const {
  for (const NodeIndex loop : loops_around(subject, node)) {
    if (has(subject, loop)) return true;
  }
  return false;
}

// Rounds that take their batch by next(), also in a function that they call.
bool BatchLoops::draws(FunctionId function, NodeIndex loop) const {
  const Subject& subject = *graph_.site(function).subject;
  if (draws_batches(subject, loop)) return true;
  for (const CallSite& call : graph_.calls(function)) {
    const std::vector<NodeIndex> around = loops_around(subject, call.call);
    if (around.empty() || around.front() != loop) continue;
    for (const FunctionId target : call.targets) {
      if (drawing_[target]) return true;
    }
  }
  return false;
}

bool BatchLoops::add(FunctionId function, NodeIndex trigger) {
  const Subject& subject = *graph_.site(function).subject;
  for (const NodeIndex loop : loops_around(subject, trigger)) {
    if (counts_rounds(subject, loop) && !draws(function, loop)) continue;
    const bool is_new = known_.emplace(subject.index(), loop).second;
    if (is_new) all_.push_back({.subject = &subject, .node = loop});
    return is_new;
  }
  const bool is_new = !steps_[function];
  steps_[function] = true;
  return is_new;
}

}  // namespace godwit::port
