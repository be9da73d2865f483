// Which elements of one tensor are at most those of another.
#include <optional>

#include "ops/contents.h"
#include "ops/elementwise.h"
#include "ops/term.h"

namespace godwit::ops::operators {

namespace {

// Not the contrary of the other comparison: NaN compares false with both.
Status expand(Expansion& e) {
  const ValueId a = e.input(0), b = e.input(1);
  e.set_output(0, e.add("Or", {e.add("Less", {a, b}), e.add("Equal", {a, b})}));
  return {};
}

}  // namespace

extern const Operator less_or_equal = {
    .name = "LessOrEqual",
    .doc = "True where a <= b.",
    .since = 12,
    .inputs = {{"A", 'T', numbers(16)}, {"B", 'T', numbers(16)}},
    .outputs = {{"C", 'B', kBool}},
    .revisions = {16},
    .infer = comparing([](Dim a, Dim b) {
      return a.is_known() && b.is_known() ? std::optional(a.value() <= b.value()) : std::nullopt;
    }),
    .evaluate = each_pair(Numbers(), [](auto a, auto b) { return a <= b; }),
    .expand = expand,
};

}  // namespace godwit::ops::operators
