// Which elements of one tensor exceed those of another.
#include <optional>

#include "ops/contents.h"
#include "ops/elementwise.h"

namespace godwit::ops::operators {

extern const Operator greater = {
    .name = "Greater",
    .doc = "True where a > b.",
    .inputs = {{"A", 'T', floats(13) | since(9, kIntegers)},
               {"B", 'T', floats(13) | since(9, kIntegers)}},
    .outputs = {{"C", 'B', kBool}},
    .attributes = {{.name = "axis", .until = 6}, {.name = "broadcast", .fallback = 0, .until = 6}},
    .revisions = {7, 9, 13},
    .infer = comparing([](Dim a, Dim b) {
      return a.is_known() && b.is_known() ? std::optional(a.value() > b.value()) : std::nullopt;
    }),
    .evaluate = each_pair(Numbers(), [](auto a, auto b) { return a > b; }),
};

}  // namespace godwit::ops::operators
