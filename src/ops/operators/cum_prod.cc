// Running products along an axis.
#include "ops/arithmetic.h"
#include "ops/cumulative.h"
#include "ops/term.h"

namespace godwit::ops::operators {
namespace {

// For each place (an axis in front of `axis`) the product of all elements up to it.
Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  const std::optional<Ints> named = e.integers(1);
  if (!named || named->size() != 1) return e.refuse("not_constant", {{"input", "1"}});
  ASSIGN(const std::size_t rank, e.known_rank(0));
  ASSIGN(const std::size_t axis, e.axis(named->front(), rank));
  Ints behind;  // axes that the square of places lacks
  for (std::size_t i = axis + 1; i < rank; ++i)
    behind.push_back(static_cast<std::int64_t>(i - axis) + 1);
  const auto at = static_cast<std::int64_t>(axis);
  const Term element = places(e, x, at), place = element.unsqueezed({1});
  const bool is_exclusive = e.flag("exclusive"), is_reverse = e.flag("reverse");
  const std::string_view order = is_reverse ? (is_exclusive ? "Greater" : "GreaterOrEqual")
                                            : (is_exclusive ? "Less" : "LessOrEqual");
  Term is_taken = element.against(order, place);
  if (!behind.empty()) is_taken = is_taken.unsqueezed(behind);
  const Term factors = is_taken.choose(x.unsqueezed({at}), x.number(1));
  e.set_output(0,
               factors.then("ReduceProd", {e.indices({at + 1})}, {{"keepdims", std::int64_t{0}}}));
  return {};
}

}  // namespace

extern const Operator cum_prod = {
    .name = "CumProd",
    .doc = "The product of all elements up to each one along an axis, from either end.",
    .since = 26,
    .inputs = {{"x", 'T', wide_numbers(9)}, {"axis", 'A', kIndices}},
    .outputs = {{"y", 'T', wide_numbers(9)}},
    .attributes = {{"exclusive", 0}, {"reverse", 0}},
    .numerics = Numerics::kReduction,
    .infer = same_as_first,
    .evaluate = cumulating([](auto a, auto b) { return wrapping_multiply(a, b); },
                           std::integral_constant<int, 1>()),
    .expand = expand,
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
