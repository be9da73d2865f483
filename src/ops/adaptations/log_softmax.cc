// LogSoftmax took all axes from `axis` on as one before opset 13.
#include "ops/convert.h"
#include "ops/flattened.h"

namespace godwit::ops::adaptations {

extern const Adaptation log_softmax = {
    .op = "LogSoftmax", .breaks = {13}, .adapt = adapt_flattened};

}  // namespace godwit::ops::adaptations
