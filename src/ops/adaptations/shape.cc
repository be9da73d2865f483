// A part of a shape could not be asked for before opset 15.
#include <limits>

#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target >= 15 || (!e.has("start") && !e.has("end"))) return false;
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  const ValueId all = e.add("Shape", {e.input(0)});
  const ValueId first = e.indices({e.integer("start")});
  const ValueId last = e.indices({e.has("end") ? e.integer("end") : kEnd});
  e.set_output(0, e.add("Slice", {all, first, last, e.indices({0})}));
  return true;
}

}  // namespace

extern const Adaptation shape = {.op = "Shape", .breaks = {15}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
