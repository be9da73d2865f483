// A model made ready to run fast: constants folded, nodes fused, kernels chosen, memory planned.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "exec/frame.h"
#include "exec/interpreter.h"
#include "exec/lowering.h"
#include "exec/memory_plan.h"

namespace godwit::exec {

struct PlanOptions {
  /// Nodes that follow a product are computed with it; what lies between is then never seen.
  bool fuses = true;
  /// Values between steps may lie in the order that oneDNN likes.
  bool blocks = true;
  /// Instead: the numerics of a chip, of the same model, whose ids the plan keeps. Must outlive the
  /// plan. Effects of constants are counted when the plan is made, of values in each run.
  Npu* npu = nullptr;
};

/// For one set of input shapes: where shapes are not numbers, the reference evaluations run.
/// Results agree with exec::run within the bounds that the kernels state. One run at a time.
class Plan {
 public:
  /// Takes the model; functions must be inlined, types need not be inferred. Errors: those of
  /// ops::infer, E140.
  static Result<Plan> make(ir::Model model, const PlanOptions& options = {});

  /// As exec::run; `tap` sees what steps make, without what was fused away. What it is given may
  /// lie in memory that later steps write.
  Result<std::vector<ir::Datum>> run(std::vector<ir::Datum> inputs, const Tap& tap = nullptr,
                                     std::uint64_t seed = 0);

  /// The same step by step; one at a time, none beside `run`.
  Status start(std::vector<ir::Datum> inputs, Tap tap = nullptr, std::uint64_t seed = 0);
  bool done() const { return at_ == steps_.size(); }
  Status step();
  /// After the last step, once.
  Result<std::vector<ir::Datum>> outputs();

  const MemoryPlan& memory() const { return memory_; }
  std::size_t lowered_steps() const { return lowered_; }
  std::size_t steps() const { return steps_.size(); }

 private:
  friend class Planner;
  struct Stage {
    Step run;
    ir::NodeId node;
    std::vector<ir::ValueId> makes;
    std::vector<ir::ValueId> releases;
  };
  Plan() = default;

  Status show(ir::ValueId value);
  Arithmetic& arithmetic() { return npu_ ? static_cast<Arithmetic&>(*npu_) : *own_; }

  Npu* npu_ = nullptr;
  std::unique_ptr<Arithmetic> own_;  // without a chip
  std::vector<ir::ValueId> folded_;  // values of nodes that the making of the plan has evaluated
  std::shared_ptr<const ir::Model> model_;
  std::shared_ptr<const Liveness> liveness_;
  std::vector<Placement> placements_;
  std::vector<Stage> steps_;
  MemoryPlan memory_;
  std::size_t lowered_ = 0;
  ir::Tensor arena_;
  kernels::Buffer scratch_;                       // of the step that runs
  std::vector<kernels::engine::Layout> layouts_;  // by value
  std::unique_ptr<Frame> frame_;                  // of the run
  Tap tap_;
  std::size_t at_ = 0;
};

/// The model for inputs of just these sizes, so that a plan of it knows all that follows from them.
ir::Model with_input_sizes(ir::Model model, std::span<const ir::Datum> inputs);

}  // namespace godwit::exec
