// Follows the only user of a value as long as the epilogue of the kernels can do what it does.
#include "exec/tail.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ops/operator.h"
#include "ops/signature.h"
#include "ops/site.h"

namespace godwit::exec {
namespace {

using ir::ValueId;

class TailFinder {
 public:
  TailFinder(const ir::Model& model, const ir::Users& users, const std::vector<bool>& taken,
             const Lowering& lowering)
      : model_(model), users_(users), taken_(taken), lowering_(lowering) {}

  Tail find(ir::NodeId anchor) {
    tail_.result = model_.nodes[anchor].outputs[0];
    while (const std::optional<ir::NodeId> next = only_user()) {
      const ir::Node& node = model_.nodes[*next];
      if (!takes(node)) break;
      tail_.nodes.push_back(*next);
      tail_.result = node.outputs[0];
      if (tail_.activation != kernels::Activation::kNone) break;
    }
    return std::move(tail_);
  }

 private:
  std::optional<ir::NodeId> only_user() const {
    if (users_.count(tail_.result) != 1 || users_.is_output(tail_.result)) return std::nullopt;
    const ir::NodeId user = users_.of(tail_.result)[0];
    return taken_[user] ? std::nullopt : std::optional(user);
  }

  bool takes(const ir::Node& node) {
    if (!node.domain.empty() || !ops::makes_first_output(node)) return false;
    if (node.op == "Add") return takes_sum(node);
    return lowering_.takes_activation && takes_activation(node);
  }

  bool takes_sum(const ir::Node& node) {
    // Before opset 7 these say along which axes the second one is repeated.
    if (node.attribute("broadcast") || node.attribute("axis")) return false;
    const ValueId other = node.inputs[node.inputs[0] == tail_.result ? 1 : 0];
    if (other == tail_.result || other == ir::kNone) return false;
    if (is_bias(other)) return std::exchange(tail_.bias, other) == ir::kNone;
    const bool same_shape =
        model_.values[other].type.shape == model_.values[tail_.result].type.shape;
    if (!lowering_.takes_residual || tail_.residual != ir::kNone || !same_shape) return false;
    tail_.residual = other;
    return true;
  }

  // An fp32 constant with one value per element of the bias axis, and that axis only.
  bool is_bias(ValueId value) const {
    const ir::Tensor* const held = model_.constant(value);
    const auto sizes = static_sizes(model_.values[tail_.result].type);
    if (lowering_.bias == BiasAxis::kNone || tail_.bias != ir::kNone || tail_.residual != ir::kNone)
      return false;
    if (!held || held->type() != ir::ElementType::kFloat || !sizes || sizes->size() < 2)
      return false;
    const std::size_t axis = lowering_.bias == BiasAxis::kChannel ? 1 : sizes->size() - 1;
    if (held->rank() > sizes->size() || held->rank() + axis < sizes->size()) return false;
    const std::size_t own = axis - (sizes->size() - held->rank());
    return held->dims()[own] == (*sizes)[axis] && held->count() == (*sizes)[axis];
  }

  bool takes_activation(const ir::Node& node) {
    using kernels::Activation;
    if (node.op == "Relu") return activate(Activation::kRelu, 0, 0);
    const ops::Operator* const op = ops::find_operator(node);
    if (!op) return false;
    const ops::Site site(*op, node);
    if (node.op == "LeakyRelu") return activate(Activation::kLeakyRelu, site.number("alpha"), 0);
    if (node.op != "Clip") return false;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::optional<float> low = bound(site, "min", 1, -kInfinity);
    const std::optional<float> high = bound(site, "max", 2, kInfinity);
    return low && high && activate(Activation::kClip, *low, *high);
  }

  std::optional<float> bound(const ops::Site& site, std::string_view name, std::size_t input,
                             float fallback) const {
    if (site.has(name)) return site.number(name);
    const ir::Node& node = site.node();
    if (node.inputs.size() <= input || node.inputs[input] == ir::kNone) return fallback;
    const ir::Tensor* const held = model_.constant(node.inputs[input]);
    if (!held || held->count() != 1 || held->type() != ir::ElementType::kFloat) return std::nullopt;
    return static_cast<float>((*to_doubles(*held))[0]);
  }

  bool activate(kernels::Activation activation, float low, float high) {
    tail_.activation = activation;
    tail_.low = low;
    tail_.high = high;
    return true;
  }

  const ir::Model& model_;
  const ir::Users& users_;
  const std::vector<bool>& taken_;
  const Lowering& lowering_;
  Tail tail_;
};

}  // namespace

Tail find_tail(const ir::Model& model, const ir::Users& users, const std::vector<bool>& taken,
               ir::NodeId node, const Lowering& lowering) {
  return TailFinder(model, users, taken, lowering).find(node);
}

}  // namespace godwit::exec
