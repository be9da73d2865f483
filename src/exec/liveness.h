// When the last use of each value is over.
#pragma once

#include <vector>

#include "ir/model.h"

namespace godwit::exec {

/// Appends what a node takes: its inputs, and what the graphs that it owns name, their own values
/// included.
void add_uses(const ir::Model& model, const ir::Node& node, std::vector<ir::ValueId>& out);

/// For each graph and each of its nodes: the values of that graph that nobody needs afterwards.
/// What a subgraph takes from outside counts as a use by the node that owns it.
class Liveness {
 public:
  explicit Liveness(const ir::Model& model);
  const std::vector<ir::ValueId>& dead_after(ir::GraphId graph, std::size_t position) const {
    return dead_[graph][position];
  }

 private:
  std::vector<std::vector<std::vector<ir::ValueId>>> dead_;
};

}  // namespace godwit::exec
