// Opset 11 made the place of a sample an attribute; before, it was the asymmetric one.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target < 11)
    return e.refuse("attribute", {{"name", "coordinate_transformation_mode"}, {"value", ""}});
  if (e.opset() >= 11) return false;
  // Inputs were X and scales; nearest took the sample before.
  e.edit().set("coordinate_transformation_mode", std::string("asymmetric"));
  e.edit().set("nearest_mode", std::string("floor"));
  return false;
}

}  // namespace

extern const Adaptation resize = {.op = "Resize", .breaks = {11}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
