// What a model costs before it runs: floating-point operations, parameters, bytes of live values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exec/memory_plan.h"
#include "ir/model.h"

namespace godwit::exec {

using Bindings = std::vector<std::pair<std::string, std::int64_t>>;

/// Nodes of one operator in all graphs.
struct OperatorCost {
  std::size_t nodes = 0;
  std::int64_t flop = 0;      // of the nodes whose sizes are known
  std::size_t uncounted = 0;  // nodes whose sizes are not
  bool is_known = true;       // we have a rule for it
};

/// By "Name", or "domain::Name" outside ai.onnx. Types must have been inferred.
std::map<std::string, OperatorCost> operator_costs(const ir::Model& model, const Bindings& dims);

struct Weights {
  std::uint64_t parameters = 0, bytes = 0;
};
/// Constants of all graphs; one that several nodes use counts once.
Weights weights(const ir::Model& model);

/// The plan of the values of the main graph, without constants.
struct Activations {
  MemoryPlan plan{};
  std::size_t values = 0, left_out = 0;  // left out: their sizes are not known
};
Activations plan_activations(const ir::Model& model, const Bindings& dims);

/// Bytes of a tensor type when all its dims have numbers.
std::optional<std::uint64_t> bytes_of(const ir::Type& type, const Bindings& dims);

}  // namespace godwit::exec
