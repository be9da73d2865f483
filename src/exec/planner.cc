// Walks the nodes in order: a kernel where one fits, an alias where no byte changes, else the
// reference evaluation; then lays the values of the kernels into one stretch of memory.
#include "exec/planner.h"

#include <algorithm>
#include <cstdlib>

#include "base/pages.h"
#include "exec/liveness.h"
#include "exec/tail.h"
#include "ops/operator.h"
#include "ops/signature.h"

namespace godwit::exec {

using ir::Datum;
using ir::NodeId;
using ir::ValueId;

namespace {

constexpr std::size_t kGivenBackAtOnce = std::size_t{1} << 21;

}  // namespace

Planner::Planner(ir::Model model, const PlanOptions& options, const Arithmetic& arithmetic,
                 Narrowings narrowing)
    : model_(std::make_shared<ir::Model>(std::move(model))),
      options_(options),
      arithmetic_(arithmetic),
      narrowing_(std::move(narrowing)),
      users_(*model_) {
  plan_.placements_.resize(model_->values.size());
  layouts_.resize(model_->values.size());
  first_.resize(model_->values.size(), 0);
  last_.resize(model_->values.size(), 0);
  if (options_.npu) linker_.emplace(*model_, *options_.npu);
}

// Graph outputs, and what subgraphs take from the graphs around them.
void Planner::mark_seen() {
  is_seen_.resize(model_->values.size(), false);
  for (const NodeId id : model_->main().nodes) {
    std::vector<ValueId> uses;
    const ir::Node& node = model_->nodes[id];
    add_uses(*model_, node, uses);
    for (std::size_t i = node.inputs.size(); i < uses.size(); ++i) {
      if (uses[i] != ir::kNone) is_seen_[uses[i]] = true;
    }
  }
  for (const ValueId value : model_->main().outputs) {
    if (value != ir::kNone) is_seen_[value] = true;
  }
}

// A tail is computed where its last node stands: all that it reads is there by then.
void Planner::choose_tails() {
  tails_.resize(model_->nodes.size());
  anchor_at_.resize(model_->nodes.size(), ir::kNone);
  is_fused_.resize(model_->nodes.size(), false);
  for (const NodeId id : model_->main().nodes) {
    const ir::Node& node = model_->nodes[id];
    const Lowering* const lowering = is_fused_[id] ? nullptr : lowering_of(id);
    if (!lowering || !ops::makes_first_output(node)) continue;
    tails_[id] = tail_of(id, *lowering);
    for (const NodeId fused : tails_[id].nodes) is_fused_[fused] = true;
    anchor_at_[tails_[id].nodes.empty() ? id : tails_[id].nodes.back()] = id;
  }
}

Tail Planner::tail_of(NodeId id, const Lowering& lowering) {
  if (options_.npu && lowering.takes_chain) return chain_of(id);
  if (options_.npu) return {.result = model_->nodes[id].outputs[0]};
  if (options_.fuses) return find_tail(*model_, users_, is_fused_, id, lowering);
  return {.result = model_->nodes[id].outputs[0]};
}

// What starts a chain is a link itself, or makes what the first link takes.
Tail Planner::chain_of(NodeId id) {
  const ir::Node& node = model_->nodes[id];
  Tail tail{.result = node.outputs[0]};
  const std::size_t sources = std::min<std::size_t>(2, node.inputs.size());
  for (std::size_t i = 0; i < sources && tail.links.empty(); ++i) {
    const ValueId from = node.inputs[i];
    if (from == ir::kNone || model_->constant(from)) continue;
    auto first = linker_->link(id, {.from = from, .source = from});
    if (!first) continue;
    tail.source = from;
    tail.links.push_back(*std::move(first));
  }
  if (!options_.fuses) return tail;
  const ValueId source = tail.links.empty() ? tail.result : tail.source;
  while (users_.count(tail.result) == 1 && !users_.is_output(tail.result)) {
    const NodeId next = users_.of(tail.result)[0];
    if (is_fused_[next]) break;
    auto link = linker_->link(next, {.from = tail.result, .source = source});
    if (!link) break;
    tail.links.push_back(*std::move(link));
    tail.nodes.push_back(next);
    tail.result = model_->nodes[next].outputs[0];
  }
  return tail;
}

bool Planner::is_alias(const ir::Node& node) const {
  static constexpr std::string_view kSameBytes[] = {"Reshape", "Flatten", "Squeeze", "Unsqueeze",
                                                    "Identity"};
  const auto end = std::end(kSameBytes);
  if (!ops::makes_first_output(node)) return false;
  if (!node.domain.empty() || std::find(std::begin(kSameBytes), end, node.op) == end) return false;
  const auto how = [&](ValueId value) {
    return options_.npu->narrowing(value, kernels::Rounding::kNearestEven);
  };
  if (options_.npu && !(how(node.inputs[0]) == how(node.outputs[0]))) return false;
  return static_sizes(model_->values[node.inputs[0]].type).has_value() &&
         static_sizes(model_->values[node.outputs[0]].type).has_value();
}

ValueId Planner::base(ValueId value) const {
  while (plan_.placements_[value].base != ir::kNone) value = plan_.placements_[value].base;
  return value;
}

ValueId Planner::add_hidden(ValueId like, const Layout& layout) {
  const ValueId id =
      model_->add_value(model_->values[like].name + "/reordered", model_->values[like].type);
  plan_.placements_.push_back({.kind = Placement::Kind::kArena});
  layouts_.push_back(layout);
  first_.push_back(0);
  last_.push_back(0);
  return id;
}

void Planner::set(ValueId value, const Layout& layout) { layouts_[value] = layout; }

Result<ValueId> Planner::as(ValueId value, const Layout& wanted) {
  const auto is_row_major = [](const Layout& layout) {
    return layout.is_any() || layout.is_plain();
  };
  const Layout now = layouts_[value];
  if (now == wanted || (is_row_major(now) && is_row_major(wanted))) return value;
  for (const auto& [from, to] : copies_) {
    if (from == value &&
        (layouts_[to] == wanted || (is_row_major(layouts_[to]) && is_row_major(wanted))))
      return to;
  }
  const Layout row_major = engine_layout(*static_sizes(model_->values[value].type));
  const Layout from = now.is_any() ? row_major : now;
  const Layout to = wanted.is_any() ? row_major : wanted;
  auto reorder = kernels::engine::make_reorder(from, to);
  if (!reorder) return fail("E145", {}, {{"value", model_->values[value].name}});
  const ValueId copy = add_hidden(value, wanted.is_any() ? Layout() : to);
  copies_.emplace_back(value, copy);
  const auto step = [primitive = *reorder, value, copy](Frame& frame) -> Status {
    ASSIGN(float* const out, frame.write<float>(copy));
    primitive.run(frame.read<float>(value), out);
    return {};
  };
  add_stage(ir::kNone, step, {value}, {copy});
  return copy;
}

void Planner::add_stage(NodeId id, Step step, const std::vector<ValueId>& uses,
                        std::vector<ValueId> makes) {
  const auto now = static_cast<std::uint32_t>(plan_.steps_.size());
  for (const ValueId value : uses) {
    if (value != ir::kNone) last_[base(value)] = now;
  }
  for (const ValueId value : makes) {
    if (value == ir::kNone) continue;
    if (plan_.placements_[value].base == ir::kNone) first_[value] = now;
    last_[base(value)] = now;
  }
  plan_.steps_.push_back({std::move(step), id, std::move(makes), {}});
}

Status Planner::add_node(NodeId id) {
  const NodeId anchor = anchor_at_[id];
  if (anchor == ir::kNone) {
    const bool waits = is_fused_[id] || !tails_[id].nodes.empty();
    if (waits) return {};
    return is_alias(model_->nodes[id]) ? add_alias(id) : add_reference(id);
  }
  ASSIGN(const bool is_lowered, lower(anchor));
  if (is_lowered) return {};
  // Not this way: the node and those of its tail run one by one, here.
  const std::vector<NodeId> fused = tails_[anchor].nodes;
  if (fused.empty()) return add_reference(anchor);
  TRY(add_single(anchor));
  for (const NodeId each : fused) TRY(add_single(each));
  return {};
}

Status Planner::add_single(NodeId id) {
  if (!lowering_of(id)) return add_reference(id);
  tails_[id] = {.result = model_->nodes[id].outputs[0]};
  if (options_.npu && lowering_of(id)->takes_chain) {
    tails_[id] = chain_of(id);
    tails_[id].links.resize(std::min<std::size_t>(1, tails_[id].links.size()));
    if (tails_[id].source == ir::kNone) tails_[id].links.clear();
    tails_[id].nodes.clear();
    tails_[id].result = model_->nodes[id].outputs[0];
  }
  ASSIGN(const bool is_lowered, lower(id));
  return is_lowered ? Status() : add_reference(id);
}

Result<bool> Planner::lower(NodeId anchor) {
  const ir::Node& node = model_->nodes[anchor];
  const ValueId result = tails_[anchor].result;
  if (!static_sizes(model_->values[result].type)) return false;
  const Part part(*model_, *ops::find_operator(node), node, tails_[anchor],
                  {arithmetic_, narrowing_(result), options_.npu}, *this);
  const Lowering& lowering = *lowering_of(anchor);
  ASSIGN(Step step, (options_.npu ? lowering.make_on_chip : lowering.make)(part));
  if (!step) return false;
  // A step that did not say what it reads would find it gone: a fault of its lowering.
  if (part.uses().empty()) std::abort();
  std::vector<ValueId> made = {result};
  if (lowering.makes_all) made = node.outputs;
  for (const ValueId value : made) {
    if (!users_.is_output(value)) plan_.placements_[value].kind = Placement::Kind::kArena;
  }
  drop(part.packed());
  add_stage(anchor, std::move(step), part.uses(), std::move(made));
  ++plan_.lowered_;
  return true;
}

// Weights that only a packed copy is used of: the copy is all that stays in memory.
void Planner::drop(const std::vector<ValueId>& packed) {
  for (const ValueId value : packed) {
    const std::shared_ptr<const ir::Tensor>& held = model_->values[value].constant;
    if (!held) continue;
    give_back(held->data(), held->bytes());
    const bool is_ours = users_.count(value) == 1 && !is_seen_[value] && options_.fuses;
    if (!is_ours) continue;
    dropped_ += held->bytes();
    model_->values[value].constant.reset();
  }
  if (dropped_ < kGivenBackAtOnce) return;
  give_back_freed();
  give_back_mapped();
  dropped_ = 0;
}

Status Planner::add_alias(NodeId id) {
  const ir::Node& node = model_->nodes[id];
  const ValueId to = node.outputs[0];
  ASSIGN(const ValueId from, as(node.inputs[0], {}));
  if (plan_.placements_[from].kind == Placement::Kind::kArena) {
    plan_.placements_[to] = {.kind = Placement::Kind::kArena, .base = from};
    add_stage(id, [](Frame&) { return Status(); }, {from}, {to});
    return {};
  }
  const ir::Sizes sizes = *static_sizes(model_->values[to].type);
  const auto share = [from, to, sizes](Frame& frame) {
    return frame.keep(to, frame.datum(from).tensor.reshaped(sizes));
  };
  add_stage(id, share, {from}, {to});
  return {};
}

Status Planner::add_reference(NodeId id) {
  std::vector<ValueId> uses, inputs;
  add_uses(*model_, model_->nodes[id], uses);
  for (const ValueId value : std::vector<ValueId>(model_->nodes[id].inputs)) {
    ASSIGN(const ValueId plain, value == ir::kNone ? Result<ValueId>(value) : as(value, {}));
    inputs.push_back(plain);
    uses.push_back(plain);
  }
  const auto step = [&model = *model_, id, inputs](Frame& frame) -> Status {
    const ir::Node& node = model.nodes[id];
    std::vector<Datum> given;
    for (const ValueId value : inputs) given.push_back(frame.datum(value));
    ASSIGN(std::vector<Datum> made, frame.evaluate(node, std::move(given)));
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (node.outputs[i] != ir::kNone) TRY(frame.keep(node.outputs[i], std::move(made[i])));
    }
    return {};
  };
  add_stage(id, step, uses, model_->nodes[id].outputs);
  return {};
}

std::uint64_t Planner::bytes(ValueId value) const {
  const ir::Type& type = model_->values[value].type;
  const auto elements = static_cast<std::uint64_t>(*ir::count(*static_sizes(type)));
  const std::uint64_t dense = elements * bytes_in_memory(type.element);
  return layouts_[value].is_any() ? dense : std::max<std::uint64_t>(dense, layouts_[value].bytes());
}

Status Planner::place() {
  std::vector<Block> blocks;
  std::vector<ValueId> owners;
  for (ValueId value = 0; value < model_->values.size(); ++value) {
    const Placement& at = plan_.placements_[value];
    if (at.kind != Placement::Kind::kArena || at.base != ir::kNone) continue;
    blocks.push_back({bytes(value), first_[value], last_[value]});
    owners.push_back(value);
  }
  plan_.memory_ = plan_memory(blocks);
  for (std::size_t i = 0; i < owners.size(); ++i)
    plan_.placements_[owners[i]].offset = plan_.memory_.offsets[i];
  for (ValueId value = 0; value < model_->values.size(); ++value) {
    Placement& at = plan_.placements_[value];
    if (at.base != ir::kNone) at.offset = plan_.placements_[base(value)].offset;
  }
  ASSIGN(plan_.arena_, ir::Tensor::make(ir::ElementType::kUint8,
                                        {static_cast<std::int64_t>(plan_.memory_.bytes)}));
  prefer_huge_pages(plan_.arena_.mutable_data(), plan_.arena_.bytes());
  return {};
}

void Planner::release_own() {
  const auto steps = static_cast<std::uint32_t>(plan_.steps_.size());
  for (ValueId value = 0; value < model_->values.size(); ++value) {
    const bool is_own = plan_.placements_[value].kind == Placement::Kind::kOwn;
    if (is_own && last_[value] < steps) plan_.steps_[last_[value]].releases.push_back(value);
  }
}

Result<Plan> Planner::make() {
  for (ValueId value = 0; value < model_->values.size(); ++value) {
    if (model_->values[value].constant && model_->constant(value))
      plan_.placements_[value].kind = Placement::Kind::kConstant;
  }
  mark_seen();
  choose_tails();
  const std::vector<NodeId> nodes = model_->main().nodes;
  for (const NodeId id : nodes) TRY(add_node(id));
  if (dropped_ != 0) give_back_freed();
  give_back_mapped();
  const auto steps = static_cast<std::uint32_t>(plan_.steps_.size());
  for (const ValueId value : model_->main().outputs) {
    if (value != ir::kNone) last_[base(value)] = steps;
  }
  TRY(place());
  release_own();
  plan_.liveness_ = std::make_shared<const Liveness>(*model_);
  plan_.layouts_ = std::move(layouts_);
  plan_.model_ = std::move(model_);
  return std::move(plan_);
}

}  // namespace godwit::exec
