// The upper or lower triangle of matrices; the rest becomes zero.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  TRY(expect_rank_from(call, 0, 2));
  double k = 0;
  if (call.has_input(1)) {
    ASSIGN(k, call.scalar(1));
  }
  ASSIGN(Tensor* const out, call.make(0, x.type(), x.dims()));
  const bool keeps_upper = call.flag("upper");
  const auto columns = static_cast<std::size_t>(x.dims().back());
  const auto rows = static_cast<std::size_t>(x.dims()[x.rank() - 2]);
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.count()); ++i) {
    // How far right of the main diagonal.
    const double right = static_cast<double>(i % columns) - static_cast<double>(i / columns % rows);
    if (keeps_upper ? right >= k : right <= k) copy_elements(x, i, *out, i);
  }
  return {};
}

}  // namespace

extern const Operator trilu = {
    .name = "Trilu",
    .doc = "The triangle of each matrix from its k-th diagonal on, up or down.",
    .since = 14,
    .inputs = {{"input", 'T', kClassic | kFloats}, {"k", 'K', kInt64, kOptional}},
    .outputs = {{"output", 'T', kClassic | kFloats}},
    .attributes = {{"upper", 1}},
    .storage = Storage::kAsStored,
    .infer = same_as_first,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
