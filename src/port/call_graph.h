// Call graph: which functions of a project call which, and which one a node lies in.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "port/flow.h"

namespace godwit::port {

using FunctionId = std::uint32_t;

/// A function, or (node kNoNode) what a module does at its top level.
struct FunctionSite {
  const Subject* subject = nullptr;
  NodeIndex node = kNoNode;
};

struct CallSite {
  NodeIndex call = kNoNode;
  std::vector<FunctionId> targets{};
};

/// Calls are resolved by name as Flow does: a method of something unknown may be any of that name.
class CallGraph {
 public:
  CallGraph(const std::vector<Subject>& subjects, Flow& flow);

  std::size_t size() const { return sites_.size(); }
  const FunctionSite& site(FunctionId id) const { return sites_[id]; }
  const std::vector<CallSite>& calls(FunctionId id) const { return calls_[id]; }
  FunctionId top_level(const Subject& subject) const { return subject.index(); }
  /// The innermost function around a node; the top level of its module when there is none.
  FunctionId around(const Subject& subject, NodeIndex node) const;
  /// All functions that running one of `from` may run, those included.
  std::vector<bool> reached(const std::vector<FunctionId>& from) const;

 private:
  std::vector<FunctionSite> sites_;  // top levels first, by the number of the subject
  std::vector<std::vector<CallSite>> calls_;
  std::map<std::pair<std::uint32_t, NodeIndex>, FunctionId> by_node_;
};

}  // namespace godwit::port
