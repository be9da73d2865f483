// Softmax of the chip's library: everything in fp32, then one cast whose rounding differs by chip.
// Written out step by step here, so that the plan's kernel has something to be held against.
#include <cmath>
#include <limits>

#include "exec/sequence.h"
#include "kernels/elementwise.h"
#include "kernels/rows.h"
#include "ops/walk.h"

namespace godwit::exec::sequences {
namespace {

// A NaN wins.
float maximum(std::span<const float> values) {
  float top = -std::numeric_limits<float>::infinity();
  for (const float value : values) top = value > top || std::isnan(value) ? value : top;
  return top;
}

void softmax(std::span<const float> x, std::span<float> y) {
  const float top = maximum(x);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] - top;
  kernels::unary({.op = kernels::Unary::kExp, .in = y.data(), .out = y.data(), .n = y.size()});
  const float sum = kernels::ref::tree_sum(y.data(), y.size());
  for (float& value : y) value /= sum;
}

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
  for (std::size_t at = 0; at < x.size(); at += columns)
    softmax(x.subspan(at, columns), y.subspan(at, columns));
  return {};
}

}  // namespace

extern const Sequence softmax = {.op = "Softmax", .run = run};

}  // namespace godwit::exec::sequences
