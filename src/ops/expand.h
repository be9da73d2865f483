// Operators in place of others that mean the same: what `Operator::expand` builds with, and the
// pass that asks it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/fresh_names.h"
#include "ir/model.h"
#include "ops/inference.h"

namespace godwit::ops {

using ir::ValueId;

/// The opset whose operators an expansion is made of. `convert` takes them further down.
inline constexpr std::int64_t kExpansionOpset = 18;

/// One node that is being replaced. It sees types and constants of its inputs like a shape rule;
/// types of what is added are inferred at once, so that rules can ask for them too.
class Expansion : public Inference {
 public:
  Expansion(const Operator& op, ir::Node& node, std::vector<Known> inputs, ir::Model& model,
            ir::GraphId graph, ir::FreshNames& names);

  /// The node itself, for what says it in another opset without replacing it.
  ir::Node& edit() { return edited_; }

  /// kNone when the input is left out.
  ValueId input(std::size_t i) const { return has_input(i) ? node().inputs[i] : ir::kNone; }
  bool wants_output(std::size_t i) const {
    return i < node().outputs.size() && node().outputs[i] != ir::kNone;
  }

  /// Whether anybody reads an output, as the input of a node or of whoever runs the model.
  bool is_read(std::size_t i) const;

  /// A node of opset 18 and its first output.
  ValueId add(std::string_view op, std::vector<ValueId> inputs,
              std::vector<ir::Attribute> attributes = {});
  std::vector<ValueId> add_many(std::string_view op, std::vector<ValueId> inputs,
                                std::vector<ir::Attribute> attributes, std::size_t outputs);

  /// Constants: one number, a list of one dim.
  ValueId scalar(double value, ElementType type);
  ValueId index(std::int64_t value);
  ValueId indices(Ints values);
  ValueId constant(ir::Tensor tensor);

  /// The size of one axis as a list of one number: a constant where it is known.
  ValueId size(ValueId value, std::int64_t axis);
  /// A list joined of lists and numbers.
  ValueId join(std::vector<ValueId> lists);
  ValueId cast(ValueId value, ElementType type);

  const Type& type_of(ValueId value) const { return model_.values[value].type; }
  /// Errors: E151 when it is not known.
  Result<ElementType> known_element(std::size_t input) const;
  Result<std::size_t> known_rank(std::size_t input) const;

  void set_output(std::size_t i, ValueId value);

  /// Puts the new nodes behind `nodes`, the results under the names of the outputs. Errors: those
  /// of the shape rules of what was added.
  Status finish(std::vector<ir::NodeId>& nodes);

 private:
  Known known(ValueId value) const;
  Status infer(ir::NodeId id);

  ir::Node& edited_;
  ir::Model& model_;
  ir::GraphId graph_;
  ir::FreshNames& names_;
  std::string prefix_;
  std::vector<ir::NodeId> nodes_;
  std::vector<ValueId> made_;  // per output
  std::vector<std::pair<ValueId, Content>> contents_;
  Status status_;
};

/// What to do with a node: nothing, or its replacement, which says false when it leaves the node.
using Rewrite = std::function<Result<bool>(Expansion&)>;
using Choice = std::function<Rewrite(const Operator&, ir::NodeId)>;

/// Replaces the nodes that `choose` has a rewrite for, and again what that leaves. Types must have
/// been inferred. Errors: those of the rewrites.
Status rewrite_nodes(ir::Model& model, const Choice& choose);

/// `Operator::expand` as a rewrite; null when the operator has none.
Rewrite expansion_of(const Operator& op);

/// Inlines the functions of the model, and expands the operators that have no evaluation of their
/// own.
Status expand_unknown(ir::Model& model);

}  // namespace godwit::ops
