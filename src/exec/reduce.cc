// Gathers what each output sums, then adds it by trees; other types go to the operator itself.
#include "exec/reduce.h"

#include <algorithm>
#include <numeric>

#include "ops/walk.h"

namespace godwit::exec {
namespace {

constexpr std::size_t kRepeatBytes = 256;  // what one instruction of the vector unit reads

}  // namespace

Status reduce(ChipStep& step, bool divides) {
  ops::Call& call = step.call;
  const ir::Sizes& dims = call.input(0).dims();
  if (call.input(0).type() != ir::ElementType::kFloat || !step.chip.reduces_by_tree)
    return call.op().evaluate(call);
  ASSIGN(ops::Ints list, call.list("axes", 1));
  if (list.empty() && call.flag("noop_with_empty_axes")) return call.op().evaluate(call);
  if (list.empty()) {
    list.resize(dims.size());
    std::iota(list.begin(), list.end(), 0);
  }
  ASSIGN(const std::vector<std::size_t> axes, call.axes(list, dims.size()));
  const std::vector<std::int64_t> strides = ops::strides(dims);
  ir::Sizes kept, summed, made;
  std::vector<std::int64_t> kept_strides, summed_strides;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const bool goes = std::find(axes.begin(), axes.end(), axis) != axes.end();
    (goes ? summed : kept).push_back(dims[axis]);
    (goes ? summed_strides : kept_strides).push_back(strides[axis]);
    if (!goes || call.flag("keepdims")) made.push_back(goes ? 1 : dims[axis]);
  }
  const kernels::Narrowing each = step.chip.reduces_in_fp16 ? step.half() : kernels::Narrowing{};
  const std::size_t repeat = kRepeatBytes / (step.chip.reduces_in_fp16 ? 2 : sizeof(float));
  const std::span<const float> x = call.values<float>(0);
  ASSIGN(const std::span<float> y, call.make<float>(0, made));
  std::vector<float> row;
  std::size_t out = 0;
  for (ops::Odometer at(kept, {kept_strides}); !at.done(); at.next()) {
    row.clear();
    for (ops::Odometer in(summed, {summed_strides}); !in.done(); in.next())
      row.push_back(x[at.offset(0) + in.offset(0)]);
    const auto count = static_cast<float>(row.size());
    const float sum = tree_sum(row, repeat, each);
    y[out++] = divides ? sum / count : sum;
  }
  return {};
}

}  // namespace godwit::exec
