// Softmax of the chip's library: everything in fp32, then one cast whose rounding differs by chip.
#include "exec/sequence.h"
#include "kernels/rows.h"
#include "ops/walk.h"

namespace godwit::exec::sequences {
namespace {

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  if (step.chip.softmax_ties_away) step.rounding = kernels::Rounding::kNearestAway;
  const ir::Sizes& dims = call.input(0).dims();
  if (call.input(0).type() != ir::ElementType::kFloat || dims.empty())
    return call.op().evaluate(call);
  ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
  // Before opset 13 all axes from this one on are one row.
  const bool is_rows = call.opset() < 13 || axis + 1 == dims.size();
  if (!is_rows) return call.op().evaluate(call);
  const auto columns = static_cast<std::size_t>(ops::product(dims, axis, dims.size()));
  const std::span<const float> x = call.values<float>(0);
  ASSIGN(const std::span<float> y, call.make<float>(0, dims));
  if (columns == 0) return {};
  kernels::softmax(
      {.in = x.data(), .out = y.data(), .rows = x.size() / columns, .columns = columns});
  return {};
}

}  // namespace

extern const Sequence softmax = {.op = "Softmax", .run = run};

}  // namespace godwit::exec::sequences
