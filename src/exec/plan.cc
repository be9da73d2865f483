// Making a plan from a model, and running it.
#include "exec/plan.h"

#include <utility>

#include "exec/fold.h"
#include "exec/planner.h"
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

}  // namespace

Result<Plan> Plan::make(ir::Model model, const PlanOptions& options) {
  forget_noted_shapes(model);
  TRY(ops::infer(model));
  TRY(fold_constants(model));
  if (options.fuses) TRY(fold_batch_normalization(model));
  TRY(align_constants(model));
  return Planner(std::move(model), options).make();
}

Result<std::vector<Datum>> Plan::run(std::vector<Datum> inputs, const Tap& tap) {
  const ir::Graph& graph = model_->main();
  Frame frame(*model_, placements_, {arena_.mutable_data(), arena_.bytes()}, scratch_, liveness_);
  ASSIGN(std::vector<Datum> bound, bind_inputs(*model_, std::move(inputs)));
  for (std::size_t i = 0; i < bound.size(); ++i)
    TRY(frame.keep(graph.inputs[i], std::move(bound[i])));
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
