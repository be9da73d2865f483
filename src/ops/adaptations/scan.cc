// Opset 8 scanned a batch of sequences of different lengths; opset 9 scans one.
#include "ops/convert.h"

namespace godwit::ops::adaptations {

extern const Adaptation scan = {.op = "Scan", .breaks = {9}};

}  // namespace godwit::ops::adaptations
