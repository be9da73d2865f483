// Opset 18 scaled whole groups, opset 21 scales every channel.
#include "ops/convert.h"

namespace godwit::ops::adaptations {

extern const Adaptation group_normalization = {.op = "GroupNormalization", .breaks = {21}};

}  // namespace godwit::ops::adaptations
