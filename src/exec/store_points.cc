// Finds shape arithmetic, parameters that stay fp32, and chains of element-wise nodes.
#include "exec/store_points.h"

#include <algorithm>

#include "exec/liveness.h"
#include "ops/operator.h"

namespace godwit::exec {
namespace {

using ops::Numerics;

// Shape arithmetic holds a few numbers; a weight of this size is no weight.
constexpr std::int64_t kMostOnHost = 64;

// Parameters such as the scales of Resize and of quantisation stay fp32: their signatures take
// nothing else, or they belong to the quantised form of a tensor.
bool stays_fp32(const ops::Operator& op, std::size_t input) {
  if (op.numerics == Numerics::kQuantize) return input > 0;
  if (op.inputs.empty()) return false;
  return op.inputs[std::min(input, op.inputs.size() - 1)].types.all() == ops::kFloat;
}

bool is_small(const ir::Model& model, ir::ValueId value) {
  const ir::Tensor* const constant = model.constant(value);
  return constant && constant->count() <= kMostOnHost;
}

// What is made of shapes and small constants alone.
bool is_shape_arithmetic(const ir::Model& model, const ir::Node& node,
                         const std::vector<StorePoint>& points) {
  if (node.op == "Shape" || node.op == "Size") return true;
  bool any = false;
  for (const ir::ValueId value : node.inputs) {
    if (value == ir::kNone) continue;
    const bool on_host = points[value] == StorePoint::kOnHost;
    if (!on_host && !is_small(model, value)) return false;
    any |= on_host;
  }
  return any;
}

bool makes_chain(Numerics numerics) {
  return numerics == Numerics::kMatrix || numerics == Numerics::kElementwise ||
         numerics == Numerics::kTranscendental || numerics == Numerics::kNormalization;
}

bool ends_chain(Numerics numerics) {
  return numerics == Numerics::kElementwise || numerics == Numerics::kTranscendental;
}

class Marker {
 public:
  Marker(const ir::Model& model, std::vector<StorePoint>& points)
      : model_(model), points_(points), users_(model) {}

  void mark(const ir::Node& node, Stores stores) {
    const ops::Operator* const op = ops::find_operator(node);
    if (!op) return;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const ir::ValueId value = node.inputs[i];
      if (value != ir::kNone && stays_fp32(*op, i)) points_[value] = StorePoint::kOnHost;
    }
    const bool on_host = is_shape_arithmetic(model_, node, points_);
    for (const ir::ValueId value : node.outputs) {
      if (value == ir::kNone || points_[value] == StorePoint::kOnHost) continue;
      if (on_host) points_[value] = StorePoint::kOnHost;
      if (!on_host && stores == Stores::kFused && stays_in_flight(*op, value))
        points_[value] = StorePoint::kInFlight;
    }
  }

 private:
  bool stays_in_flight(const ops::Operator& op, ir::ValueId value) const {
    if (!makes_chain(op.numerics) || users_.is_output(value) || users_.count(value) != 1)
      return false;
    const ops::Operator* const next = ops::find_operator(model_.nodes[users_.of(value)[0]]);
    return next && ends_chain(next->numerics);
  }

  const ir::Model& model_;
  std::vector<StorePoint>& points_;
  ir::Users users_;
};

}  // namespace

std::vector<StorePoint> store_points(const ir::Model& model, Stores stores) {
  std::vector<StorePoint> points(model.values.size(), StorePoint::kStored);
  Marker marker(model, points);
  // Subgraphs follow their owners: what a branch takes from outside is marked before.
  for (const ir::Graph& graph : model.graphs) {
    for (const ir::NodeId node : graph.nodes) marker.mark(model.nodes[node], stores);
  }
  return points;
}

}  // namespace godwit::exec
