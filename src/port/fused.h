// Fused optimizers: a test of the device that only decides whether torch.optim runs its CUDA
// kernel, so that it has to stay false on the NPU.
#pragma once

#include "port/subject.h"

namespace godwit::port {

/// True when the value of the comparison is used for `fused=` of torch.optim and nothing else:
/// directly, or through one variable or attribute of self that is at most printed besides.
bool asks_for_fused(const Subject& subject, NodeIndex comparison);

}  // namespace godwit::port
