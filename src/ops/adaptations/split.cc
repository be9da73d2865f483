// Before opset 18 a node without sizes asked for equal parts, as many as it has outputs.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t target) {
  const bool is_equal = !e.has_input(1) && !e.has("split");
  const auto count = static_cast<std::int64_t>(e.node().outputs.size());
  if (is_equal && target >= 18) e.edit().set("num_outputs", count);
  if (!is_equal || target >= 18) return false;
  // Parts that differ by the rest were not possible before: their sizes must be said.
  ASSIGN(const std::size_t rank, e.known_rank(0));
  ASSIGN(const std::size_t axis, e.axis("axis", rank));
  const Dim size = (*e.shape(0))[axis];
  e.edit().remove_attribute("num_outputs");
  if (!size.is_known()) return e.refuse("unknown_rank", {{"input", "0"}});
  if (size.value() % count == 0) return false;
  Ints sizes(e.node().outputs.size(), (size.value() + count - 1) / count);
  sizes.back() = size.value() - sizes[0] * (count - 1);
  e.edit().inputs = {e.input(0), e.indices(std::move(sizes))};
  return false;
}

}  // namespace

extern const Adaptation split = {.op = "Split", .breaks = {18}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
