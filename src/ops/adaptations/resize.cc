// Opset 11 made the place of a sample an attribute; before, it was the asymmetric one.
#include <algorithm>

#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

// Regions and scales could not be left out yet; empty ones mean the same.
void fill_in(Expansion& e) {
  std::vector<ValueId>& inputs = e.edit().inputs;
  inputs.resize(std::max<std::size_t>(inputs.size(), 3), ir::kNone);
  for (std::size_t i = 1; i < 3; ++i) {
    if (inputs[i] == ir::kNone) inputs[i] = e.constant(ir::Tensor::of<float>({0}, {}));
  }
}

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target < 11)
    return e.refuse("attribute", {{"name", "coordinate_transformation_mode"}, {"value", ""}});
  if (target < 13 && e.opset() >= 13) fill_in(e);
  if (e.opset() >= 11) return false;
  // Inputs were X and scales; nearest took the sample before.
  e.edit().set("coordinate_transformation_mode", std::string("asymmetric"));
  e.edit().set("nearest_mode", std::string("floor"));
  return false;
}

}  // namespace

extern const Adaptation resize = {.op = "Resize", .breaks = {11, 13}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
