// Which elements of two tensors are the same.
#include <optional>
#include <string>

#include "ops/contents.h"
#include "ops/elementwise.h"

namespace godwit::ops::operators {
namespace {

using Comparable =
    Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
          std::uint16_t, std::uint32_t, std::uint64_t, bool, std::string>;

constexpr auto agree = [](Dim a, Dim b) -> std::optional<bool> {
  if (a == b) return true;  // also of two symbols
  return a.is_known() && b.is_known() ? std::optional(false) : std::nullopt;
};

}  // namespace

extern const Operator equal = {
    .name = "Equal",
    .doc = "True where a == b.",
    .inputs = {{"A", 'T',
                kIndices | kBool | since(11, kClassicNumbers - kIndices) | since(13, kBfloat16) |
                    since(19, kString)},
               {"B", 'T',
                kIndices | kBool | since(11, kClassicNumbers - kIndices) | since(13, kBfloat16) |
                    since(19, kString)}},
    .outputs = {{"C", 'B', kBool}},
    .attributes = {{.name = "axis", .until = 6}, {.name = "broadcast", .fallback = 0, .until = 6}},
    .revisions = {7, 11, 13, 19},
    .infer = comparing(agree),
    .evaluate = each_pair(Comparable(), [](const auto& a, const auto& b) { return a == b; }),
};

}  // namespace godwit::ops::operators
