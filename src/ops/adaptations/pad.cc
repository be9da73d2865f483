// Opset 18 can name the axes that are padded, opset 19 wraps around.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

// Begins and ends of all axes in place of those of some.
Result<Ints> all_pads(const Expansion& e) {
  const std::optional<Ints> some = e.Inference::integers(1), named = e.Inference::integers(3);
  ASSIGN(const std::size_t rank, e.known_rank(0));
  if (!some || !named) return e.refuse("not_constant", {{"input", some ? "3" : "1"}});
  if (some->size() != 2 * named->size())
    return e.refuse("shape", {{"a", ir::to_string(*some)}, {"b", ir::to_string(*named)}});
  Ints out(2 * rank, 0);
  for (std::size_t i = 0; i < named->size(); ++i) {
    ASSIGN(const std::size_t axis, e.axis((*named)[i], rank));
    out[axis] = (*some)[i];
    out[axis + rank] = (*some)[i + named->size()];
  }
  return out;
}

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target < 19 && e.text("mode") == "wrap")
    return e.refuse("attribute", {{"name", "mode"}, {"value", "wrap"}});
  if (target >= 18 || !e.has_input(3)) return false;
  ASSIGN(Ints pads, all_pads(e));
  e.edit().inputs = {e.input(0), e.indices(std::move(pads)), e.input(2)};
  return false;
}

}  // namespace

extern const Adaptation pad = {.op = "Pad", .breaks = {18, 19}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
