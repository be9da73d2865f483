// Making a plan from a model, and running it.
#include "exec/plan.h"

#include <algorithm>
#include <utility>

#include "base/pages.h"
#include "exec/fold.h"
#include "exec/planner.h"
#include "exec/single.h"
#include "ops/infer.h"

namespace godwit::exec {

using ir::Datum;
using ir::ValueId;

namespace {

// Kernels read and write as many elements as shapes say, so only those count that follow from the
// inputs: what a model notes down of values between its nodes may be wrong.
void forget_noted_shapes(ir::Model& model) {
  for (const ir::NodeId id : model.main().nodes) {
    for (const ValueId value : model.nodes[id].outputs) {
      if (value != ir::kNone) model.values[value].type.shape.reset();
    }
  }
  for (const ValueId value : model.main().constants) {
    if (const ir::Tensor* const held = model.constant(value))
      model.values[value].type =
          ir::Type::tensor(held->type(), ir::Shape(held->dims().begin(), held->dims().end()));
  }
}

// Constants as they are carried. What is the default of an input is carried in each run.
Status carry_constants(ir::Model& model, Arithmetic& arithmetic) {
  const std::vector<ValueId>& inputs = model.main().inputs;
  for (const ValueId id : model.main().constants) {
    ir::Value& value = model.values[id];
    if (!value.constant || std::find(inputs.begin(), inputs.end(), id) != inputs.end()) continue;
    ASSIGN(ir::Tensor aligned, value.constant->aligned());
    ASSIGN(Datum carried, arithmetic.carry(id, Datum(std::move(aligned))));
    if (carried.tensor.data() != value.constant->data())
      give_back(value.constant->data(), value.constant->bytes());
    value.type.element = carried.tensor.type();
    value.constant = std::make_shared<const ir::Tensor>(std::move(carried.tensor));
  }
  return {};
}

// Narrow floats that are held otherwise.
void carry_types(ir::Model& model, const Arithmetic& arithmetic) {
  for (const ir::NodeId id : model.main().nodes) {
    for (const ValueId value : model.nodes[id].outputs) {
      if (value == ir::kNone) continue;
      ir::Type& type = model.values[value].type;
      type.element = arithmetic.carried_as(value, type.element);
    }
  }
}

std::vector<ValueId> made_by_nodes(const ir::Model& model) {
  std::vector<ValueId> out;
  for (const ir::NodeId id : model.main().nodes) {
    for (const ValueId value : model.nodes[id].outputs) {
      if (value != ir::kNone) out.push_back(value);
    }
  }
  return out;
}

}  // namespace

ir::Model with_input_sizes(ir::Model model, std::span<const Datum> inputs) {
  for (std::size_t i = 0; i < inputs.size() && i < model.main().inputs.size(); ++i) {
    ir::Value& value = model.values[model.main().inputs[i]];
    if (!value.type.is_tensor() || !inputs[i].is_tensor()) continue;
    const ir::Sizes& dims = inputs[i].tensor.dims();
    // What contradicts the model leaves it as it is: the run then says that the value does not fit.
    const auto type = unify(value.type, ir::Type::tensor(ir::ElementType::kUndefined,
                                                         ir::Shape(dims.begin(), dims.end())));
    if (type) value.type = *type;
  }
  return model;
}

Result<Plan> Plan::make(ir::Model model, const PlanOptions& options) {
  forget_noted_shapes(model);
  TRY(ops::infer(model));
  std::vector<ValueId> folded = made_by_nodes(model);
  AsWritten as_written;
  Arithmetic& folding = options.npu ? static_cast<Arithmetic&>(*options.npu) : as_written;
  if (options.npu) TRY(carry_constants(model, *options.npu));
  TRY(fold_constants(model, folding));
  while (!options.npu && inline_branches(model)) {
    forget_noted_shapes(model);
    TRY(ops::infer(model));
    TRY(fold_constants(model, folding));
  }
  auto single = std::make_unique<InSingle>(model);
  Arithmetic& arithmetic = options.npu ? static_cast<Arithmetic&>(*options.npu) : *single;
  if (!options.npu && single->has_any()) TRY(carry_constants(model, arithmetic));
  carry_types(model, arithmetic);
  if (options.fuses && !options.npu) TRY(fold_batch_normalization(model));
  TRY(align_constants(model));
  std::erase_if(folded, [&](ValueId value) { return !model.values[value].constant; });
  const auto narrowing = [&single = *single](ValueId value) { return single.narrowing(value); };
  ASSIGN(Plan plan, Planner(std::move(model), options, arithmetic, narrowing).make());
  plan.own_ = std::move(single);
  plan.npu_ = options.npu;
  plan.folded_ = std::move(folded);
  return plan;
}

Result<std::vector<Datum>> Plan::run(std::vector<Datum> inputs, const Tap& tap,
                                     std::uint64_t seed) {
  TRY(start(std::move(inputs), tap, seed));
  while (!done()) TRY(step());
  return outputs();
}

Status Plan::start(std::vector<Datum> inputs, Tap tap, std::uint64_t seed) {
  const ir::Graph& graph = model_->main();
  tap_ = nullptr;
  if (tap) {
    tap_ = [this, tap = std::move(tap)](ValueId value, const Datum& carried) -> Status {
      ASSIGN(const Datum datum, arithmetic().written(value, carried));
      return tap(value, datum);
    };
  }
  at_ = 0;
  const RunSetting setting = {
      .arithmetic = &arithmetic(), .liveness = liveness_, .tap = tap_, .seed = seed};
  frame_ = std::make_unique<Frame>(*model_, placements_,
                                   std::span<std::byte>(arena_.mutable_data(), arena_.bytes()),
                                   scratch_, setting);
  ASSIGN(std::vector<Datum> bound, bind_inputs(*model_, std::move(inputs)));
  for (std::size_t i = 0; i < bound.size(); ++i) {
    ASSIGN(Datum carried, arithmetic().carry(graph.inputs[i], std::move(bound[i])));
    if (tap_) TRY(tap_(graph.inputs[i], carried));
    frame_->bind(graph.inputs[i], std::move(carried));
  }
  for (const ValueId value : folded_) {
    if (tap_ && model_->values[value].constant) TRY(show(value));
  }
  return {};
}

// A value that lies in another order is shown row-major.
Status Plan::show(ValueId value) {
  const kernels::engine::Layout& layout = layouts_[value];
  if (layout.is_any() || layout.is_plain()) return tap_(value, frame_->datum(value));
  const ir::Sizes sizes = *static_sizes(model_->values[value].type);
  const auto reorder = kernels::engine::make_reorder(layout, engine_layout(sizes));
  if (!reorder) return fail("E145", {}, {{"value", model_->values[value].name}});
  ASSIGN(ir::Tensor copy, ir::Tensor::make(ir::ElementType::kFloat, sizes));
  reorder->run(frame_->read<float>(value), copy.mutable_values<float>().data());
  return tap_(value, Datum(std::move(copy)));
}

Status Plan::step() {
  const Stage& stage = steps_[at_++];
  TRY(stage.run(*frame_));
  for (const ValueId value : stage.makes) {
    const bool is_of_model = stage.node != ir::kNone && value != ir::kNone;
    if (tap_ && is_of_model) TRY(show(value));
  }
  for (const ValueId value : stage.releases) frame_->release(value);
  return {};
}

Result<std::vector<Datum>> Plan::outputs() {
  std::vector<Datum> out;
  for (const ValueId value : model_->main().outputs) {
    ASSIGN(Datum carried, frame_->take(value));
    ASSIGN(Datum datum, arithmetic().written(value, std::move(carried)));
    out.push_back(std::move(datum));
  }
  frame_.reset();
  return out;
}

}  // namespace godwit::exec
