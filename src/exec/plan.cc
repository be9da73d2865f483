// Making a plan from a model, and running it.
#include "exec/plan.h"

#include <utility>

#include "exec/fold.h"
#include "exec/planner.h"
#include "ops/infer.h"

namespace godwit::exec {

using ir::Datum;
using ir::ValueId;

Result<Plan> Plan::make(ir::Model model, const PlanOptions& options) {
  TRY(ops::infer(model));
  TRY(fold_constants(model));
  if (options.fuses) TRY(fold_batch_normalization(model));
  TRY(align_constants(model));
  return Planner(std::move(model), options).make();
}

Result<std::vector<Datum>> Plan::run(std::vector<Datum> inputs, const Tap& tap) {
  const ir::Graph& graph = model_->main();
  Frame frame(*model_, placements_, {arena_.mutable_data(), arena_.bytes()}, scratch_);
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
