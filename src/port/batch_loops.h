// Batch loops: the loops of a project that run a backward pass per round, told from loops over
// epochs around them and from loops that only read.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "port/call_graph.h"

namespace godwit::port {

class BatchLoops {
 public:
  BatchLoops(const CallGraph& graph, const std::vector<Subject>& subjects);

  struct Loop {
    const Subject* subject = nullptr;
    NodeIndex node = kNoNode;
  };
  const std::vector<Loop>& all() const { return all_; }
  bool has(const Subject& subject, NodeIndex loop) const {
    return known_.contains({subject.index(), loop});
  }
  /// The node lies in a batch loop of its own function.
  bool hold(const Subject& subject, NodeIndex node) const;
  /// Functions in which a backward pass runs outside of every batch loop.
  const std::vector<bool>& steps() const { return steps_; }
  /// Calls of .backward(), by function.
  const std::vector<std::vector<NodeIndex>>& backwards() const { return backwards_; }

 private:
  bool add(FunctionId function, NodeIndex trigger);
  bool draws(FunctionId function, NodeIndex loop) const;

  const CallGraph& graph_;
  std::vector<Loop> all_;
  std::set<std::pair<std::uint32_t, NodeIndex>> known_;
  std::vector<bool> steps_;
  std::vector<std::vector<NodeIndex>> backwards_;
  std::vector<bool> drawing_;  // functions that take one batch by next(), in no loop of their own
};

/// `for … in range(…)`, `while …`: rounds are counted, not taken from data.
bool counts_rounds(const Subject& subject, NodeIndex loop);

/// Rounds that take their batch by next(): a loop over data after all.
bool draws_batches(const Subject& subject, NodeIndex loop);

/// Loops around a node in its function, the innermost first.
std::vector<NodeIndex> loops_around(const Subject& subject, NodeIndex node);

/// The attribute of a called method: "backward" of loss.backward(); empty for plain functions.
std::string_view method_of(const Subject& subject, NodeIndex call);

}  // namespace godwit::port
