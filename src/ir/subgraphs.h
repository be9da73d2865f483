// The graphs that are attributes of a node.
#pragma once

#include <vector>

#include "ir/model.h"

namespace godwit::ir {

inline std::vector<GraphId> subgraphs(const Node& node) {
  std::vector<GraphId> out;
  for (const Attribute& attribute : node.attributes) {
    if (const auto* const one = std::get_if<Subgraph>(&attribute.value)) out.push_back(one->graph);
    if (const auto* const many = std::get_if<std::vector<Subgraph>>(&attribute.value)) {
      for (const Subgraph& each : *many) out.push_back(each.graph);
    }
  }
  return out;
}

}  // namespace godwit::ir
