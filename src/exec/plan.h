// A model made ready to run fast: constants folded, nodes fused, kernels chosen, memory planned.
#pragma once

#include <memory>
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
  /// How every fp32 result is rounded when it is stored, as an NPU with another storage type does.
  kernels::Narrowing store{};
};

/// For one set of input shapes: where shapes are not numbers, the reference evaluations run.
/// Results agree with exec::run within the bounds that the kernels state. One run at a time.
class Plan {
 public:
  /// Takes the model; functions must be inlined, types need not be inferred. Errors: those of
  /// ops::infer, E140.
  static Result<Plan> make(ir::Model model, const PlanOptions& options = {});

  /// As exec::run; `tap` sees what steps make, without what was fused away.
  Result<std::vector<ir::Datum>> run(std::vector<ir::Datum> inputs, const Tap& tap = nullptr);

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

  std::shared_ptr<const ir::Model> model_;
  std::shared_ptr<const Liveness> liveness_;
  std::vector<Placement> placements_;
  std::vector<Stage> steps_;
  MemoryPlan memory_;
  std::size_t lowered_ = 0;
  ir::Tensor arena_;
  kernels::Buffer scratch_;  // of the step that runs
};

}  // namespace godwit::exec
