// Before opset 13 there was one scale for the whole tensor.
#include "ops/convert.h"
#include "ops/scales.h"

namespace godwit::ops::adaptations {

extern const Adaptation quantize_linear = {
    .op = "QuantizeLinear", .breaks = {13}, .adapt = adapt_scales};

}  // namespace godwit::ops::adaptations
