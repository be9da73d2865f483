// Turns round the first steps of each sequence of a batch.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  TRY(expect_rank_from(call, 0, 2));
  const std::int64_t batch = call.integer("batch_axis"), time = call.integer("time_axis");
  if (batch != 0 && batch != 1) return refuse_attribute(call, "batch_axis");
  if (time != 1 - batch) return refuse_attribute(call, "time_axis");
  const auto batch_axis = static_cast<std::size_t>(batch), time_axis = 1 - batch_axis;
  const std::int64_t steps = x.dims()[time_axis];
  TRY(expect_sizes(call, 1, {x.dims()[batch_axis]}));
  ASSIGN(const Ints lengths, call.integers(1));
  for (const std::int64_t length : lengths) {
    if (length < 0 || length > steps) return refuse_index(call, length, steps);
  }
  ASSIGN(Tensor* const out, call.make(0, x.type(), x.dims()));
  const std::vector<std::int64_t> stride = strides(x.dims());
  const auto inner = static_cast<std::size_t>(product(x.dims(), 2, x.rank()));
  const auto place = [&](std::int64_t row, std::int64_t step) {
    return static_cast<std::size_t>(row * stride[batch_axis] + step * stride[time_axis]);
  };
  for (std::int64_t row = 0; row < x.dims()[batch_axis]; ++row) {
    const std::int64_t length = lengths[static_cast<std::size_t>(row)];
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t from = step < length ? length - 1 - step : step;
      copy_elements(x, place(row, from), *out, place(row, step), inner);
    }
  }
  return {};
}

}  // namespace

extern const Operator reverse_sequence = {
    .name = "ReverseSequence",
    .doc = "Each sequence of a batch with its first sequence_lens steps in reverse order.",
    .since = 10,
    .inputs = {{"input", 'T', classic(28)}, {"sequence_lens", 'S', kInt64}},
    .outputs = {{"Y", 'T', classic(28)}},
    .attributes = {{"batch_axis", 1}, {"time_axis", 0}},
    .revisions = {28},
    .storage = Storage::kAsStored,
    .infer = same_as_first,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
