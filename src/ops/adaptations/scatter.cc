// Opset 11 took Scatter back: ScatterElements does the same.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target < 11) return false;
  e.set_output(0, e.add("ScatterElements", {e.input(0), e.input(1), e.input(2)},
                        {{"axis", e.integer("axis")}}));
  return true;
}

}  // namespace

extern const Adaptation scatter = {.op = "Scatter", .breaks = {11}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
