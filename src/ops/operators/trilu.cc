// The upper or lower triangle of matrices; the rest becomes zero.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"

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

// How far right of the main diagonal each element of a matrix stands, against k.
Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  if (x.type() == ElementType::kString || kComplex.has(x.type())) return e.refuse("no_zero");
  const Term rows = places(e, x, -2).unsqueezed({1}), columns = places(e, x, -1);
  const ValueId k = e.has_input(1) ? e.input(1) : e.index(0);
  const Term is_kept =
      (columns - rows).against(e.flag("upper") ? "GreaterOrEqual" : "LessOrEqual", k);
  e.set_output(0, is_kept.choose(x, x.number(0)));
  return {};
}

}  // namespace

extern const Operator trilu = {
    .name = "Trilu",
    .doc = "The triangle of each matrix from its k-th diagonal on, up or down.",
    .since = 14,
    .inputs = {{"input", 'T', kClassic | kBfloat16}, {"k", 'K', kInt64, kOptional}},
    .outputs = {{"output", 'T', kClassic | kBfloat16}},
    .attributes = {{"upper", 1}},
    .storage = Storage::kAsStored,
    .infer = same_as_first,
    .evaluate = evaluate,
    .expand = expand,
};

}  // namespace godwit::ops::operators
