// Choosing steps for the nodes of a model, and places for the values between them.
#include "exec/plan.h"

#include <algorithm>
#include <utility>

#include "exec/evaluate.h"
#include "exec/fold.h"
#include "exec/liveness.h"
#include "exec/tail.h"
#include "ops/infer.h"
#include "ops/operator.h"

namespace godwit::exec {

using ir::Datum;
using ir::NodeId;
using ir::ValueId;

class Planner {
 public:
  Planner(std::shared_ptr<const ir::Model> model, const PlanOptions& options)
      : model_(*model), options_(options), users_(model_) {
    plan_.model_ = std::move(model);
    plan_.placements_.resize(model_.values.size());
    last_.resize(model_.values.size(), 0);
    first_.resize(model_.values.size(), 0);
  }

  Result<Plan> make();

 private:
  void choose_tails();
  Status add_node(NodeId id);
  Status add_lowered(NodeId id, const Tail& tail, Step step);
  void add_alias(NodeId id);
  void add_reference(NodeId id);
  void add_stage(NodeId id, Step step, std::vector<ValueId> uses, std::vector<ValueId> makes);
  bool is_alias(const ir::Node& node) const;
  ValueId base(ValueId value) const;
  Status place();

  const ir::Model& model_;
  const PlanOptions& options_;
  ir::Users users_;
  Plan plan_;
  std::vector<Tail> tails_;                  // by node
  std::vector<NodeId> anchor_at_;            // by node: whose step is emitted here
  std::vector<bool> is_fused_;               // by node: part of another's tail
  std::vector<std::uint32_t> first_, last_;  // by value: steps that make and last use it
};

// A tail is computed where its last node stands: all that it reads is there by then.
void Planner::choose_tails() {
  tails_.resize(model_.nodes.size());
  anchor_at_.resize(model_.nodes.size(), ir::kNone);
  is_fused_.resize(model_.nodes.size(), false);
  for (const NodeId id : model_.main().nodes) {
    const ir::Node& node = model_.nodes[id];
    const Lowering* const lowering = is_fused_[id] ? nullptr : find_lowering(node);
    if (!lowering || !ops::find_operator(node)) continue;
    tails_[id].result = model_.nodes[id].outputs[0];
    if (options_.fuses) tails_[id] = find_tail(model_, users_, id, *lowering);
    for (const NodeId fused : tails_[id].nodes) is_fused_[fused] = true;
    anchor_at_[tails_[id].nodes.empty() ? id : tails_[id].nodes.back()] = id;
  }
}

bool Planner::is_alias(const ir::Node& node) const {
  static constexpr std::string_view kSameBytes[] = {"Reshape", "Flatten", "Squeeze", "Unsqueeze",
                                                    "Identity"};
  if (!node.domain.empty() ||
      std::find(std::begin(kSameBytes), std::end(kSameBytes), node.op) == std::end(kSameBytes))
    return false;
  return static_sizes(model_.values[node.inputs[0]].type).has_value() &&
         static_sizes(model_.values[node.outputs[0]].type).has_value();
}

ValueId Planner::base(ValueId value) const {
  while (plan_.placements_[value].base != ir::kNone) value = plan_.placements_[value].base;
  return value;
}

void Planner::add_stage(NodeId id, Step step, std::vector<ValueId> uses,
                        std::vector<ValueId> makes) {
  const auto now = static_cast<std::uint32_t>(plan_.steps_.size());
  for (const ValueId value : uses) {
    if (value != ir::kNone) last_[base(value)] = now;
  }
  for (const ValueId value : makes) {
    if (value == ir::kNone) continue;
    first_[value] = now;
    last_[base(value)] = now;
  }
  plan_.steps_.push_back({std::move(step), id, std::move(makes), {}});
}

Status Planner::add_node(NodeId id) {
  const NodeId anchor = anchor_at_[id];
  if (anchor != ir::kNone) {
    const ir::Node& node = model_.nodes[anchor];
    const Part part(model_, *ops::find_operator(node), anchor, tails_[anchor], options_.store);
    const bool is_static = static_sizes(model_.values[tails_[anchor].result].type).has_value();
    ASSIGN(Step step, is_static ? find_lowering(node)->make(part) : Result<Step>());
    if (step) return add_lowered(anchor, tails_[anchor], std::move(step));
    // Not this way: its node and those of its tail run one by one, here.
    if (anchor != id) add_reference(anchor);
    for (const NodeId fused : tails_[anchor].nodes) {
      if (fused != id) add_reference(fused);
    }
    add_reference(id);
    return {};
  }
  const bool waits = is_fused_[id] || !tails_[id].nodes.empty();
  if (waits) return {};
  is_alias(model_.nodes[id]) ? add_alias(id) : add_reference(id);
  return {};
}

Status Planner::add_lowered(NodeId id, const Tail& tail, Step step) {
  std::vector<ValueId> uses = model_.nodes[id].inputs;
  if (tail.residual != ir::kNone) uses.push_back(tail.residual);
  const bool leaves = users_.is_output(tail.result);
  if (!leaves) plan_.placements_[tail.result].kind = Placement::Kind::kArena;
  add_stage(id, std::move(step), std::move(uses), {tail.result});
  ++plan_.lowered_;
  return {};
}

void Planner::add_alias(NodeId id) {
  const ir::Node& node = model_.nodes[id];
  const ValueId from = node.inputs[0], to = node.outputs[0];
  if (plan_.placements_[from].kind == Placement::Kind::kArena) {
    plan_.placements_[to] = {.kind = Placement::Kind::kArena, .base = from};
    return add_stage(id, [](Frame&) { return Status(); }, {from}, {to});
  }
  const ir::Sizes sizes = *static_sizes(model_.values[to].type);
  const auto share = [from, to, sizes](Frame& frame) {
    frame.keep(to, frame.datum(from).tensor.reshaped(sizes));
    return Status();
  };
  add_stage(id, share, {from}, {to});
}

void Planner::add_reference(NodeId id) {
  const ir::Node& node = model_.nodes[id];
  const ir::Model& model = model_;
  std::vector<ValueId> uses;
  add_uses(model_, node, uses);
  add_stage(
      id,
      [&model, &node](Frame& frame) -> Status {
        std::vector<Datum> inputs;
        for (const ValueId value : node.inputs) inputs.push_back(frame.datum(value));
        ops::Host host;
        host.run_graph = [&](ir::GraphId graph, std::vector<Datum> given) {
          return run_subgraph(model, graph, std::move(given),
                              [&](ValueId value) { return frame.datum(value); });
        };
        host.output_type = [&model](ir::GraphId graph, std::size_t output) -> const ir::Type& {
          return model.values[model.graphs[graph].outputs[output]].type;
        };
        ASSIGN(std::vector<Datum> made, evaluate(node, std::move(inputs), host));
        for (std::size_t i = 0; i < made.size(); ++i) {
          if (node.outputs[i] != ir::kNone) frame.keep(node.outputs[i], std::move(made[i]));
        }
        return {};
      },
      std::move(uses), node.outputs);
}

Status Planner::place() {
  const auto steps = static_cast<std::uint32_t>(plan_.steps_.size());
  for (const ValueId value : model_.main().outputs) {
    if (value != ir::kNone) last_[base(value)] = steps;
  }
  std::vector<Block> blocks;
  std::vector<ValueId> owners;
  for (ValueId value = 0; value < model_.values.size(); ++value) {
    const Placement& at = plan_.placements_[value];
    if (at.kind != Placement::Kind::kArena || at.base != ir::kNone) continue;
    const auto elements = ir::count(*static_sizes(model_.values[value].type));
    const std::uint64_t bytes =
        static_cast<std::uint64_t>(*elements) * bytes_in_memory(model_.values[value].type.element);
    blocks.push_back({bytes, first_[value], last_[value]});
    owners.push_back(value);
  }
  plan_.memory_ = plan_memory(blocks);
  for (std::size_t i = 0; i < owners.size(); ++i)
    plan_.placements_[owners[i]].offset = plan_.memory_.offsets[i];
  for (ValueId value = 0; value < model_.values.size(); ++value) {
    Placement& at = plan_.placements_[value];
    if (at.base != ir::kNone) at.offset = plan_.placements_[base(value)].offset;
    const bool is_own = at.kind == Placement::Kind::kOwn && at.base == ir::kNone;
    if (is_own && last_[value] < steps && steps)
      plan_.steps_[last_[value]].releases.push_back(value);
  }
  ASSIGN(plan_.arena_, ir::Tensor::make(ir::ElementType::kUint8,
                                        {static_cast<std::int64_t>(plan_.memory_.bytes)}));
  return {};
}

Result<Plan> Planner::make() {
  for (ValueId value = 0; value < model_.values.size(); ++value) {
    if (model_.values[value].constant && model_.constant(value))
      plan_.placements_[value].kind = Placement::Kind::kConstant;
  }
  choose_tails();
  for (const NodeId id : model_.main().nodes) TRY(add_node(id));
  TRY(place());
  return std::move(plan_);
}

Result<Plan> Plan::make(ir::Model model, const PlanOptions& options) {
  TRY(ops::infer(model));
  TRY(fold_constants(model));
  if (options.fuses) TRY(fold_batch_normalization(model));
  TRY(align_constants(model));
  return Planner(std::make_shared<const ir::Model>(std::move(model)), options).make();
}

Result<std::vector<Datum>> Plan::run(std::vector<Datum> inputs, const Tap& tap) {
  const ir::Graph& graph = model_->main();
  Frame frame(*model_, placements_, arena_.mutable_data(), scratch_);
  ASSIGN(std::vector<Datum> bound, bind_inputs(*model_, std::move(inputs)));
  for (std::size_t i = 0; i < bound.size(); ++i) frame.keep(graph.inputs[i], std::move(bound[i]));
  for (const Stage& stage : steps_) {
    TRY(stage.run(frame));
    for (const ValueId value : stage.makes) {
      if (tap && value != ir::kNone) TRY(tap(value, frame.datum(value)));
    }
    for (const ValueId value : stage.releases) frame.release(value);
  }
  std::vector<Datum> out;
  for (const ValueId value : graph.outputs) {
    ASSIGN(Datum datum, frame.take(value));
    out.push_back(std::move(datum));
  }
  return out;
}

}  // namespace godwit::exec
