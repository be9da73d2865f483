// Opset 16 moved the samples by half a pixel, unless told not to.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

constexpr std::string_view kMode = "coordinate_transformation_mode", kOld = "output_half_pixel";

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target >= 16) {
    if (e.opset() < 16) e.edit().set(kMode, std::string(kOld));
    return false;
  }
  if (e.text(kMode) != kOld)
    return e.refuse("attribute",
                    {{"name", std::string(kMode)}, {"value", std::string(e.text(kMode))}});
  e.edit().remove_attribute(kMode);
  return false;
}

}  // namespace

extern const Adaptation roi_align = {.op = "RoiAlign", .breaks = {16}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
