// LogSoftmax of the chip's library: everything in fp32, then one cast whose rounding differs by
// chip.
#include "exec/sequence.h"

namespace godwit::exec::sequences {
namespace {

Status run(ChipStep& step) {
  if (step.chip.softmax_ties_away) step.rounding = kernels::Rounding::kNearestAway;
  return step.call.op().evaluate(step.call);
}

}  // namespace

extern const Sequence log_softmax = {.op = "LogSoftmax", .run = run};

}  // namespace godwit::exec::sequences
