// Sums along axes in the order of the vector unit: binary trees inside a repeat of 256 bytes.
#pragma once

#include "exec/sequence.h"

namespace godwit::exec {

/// ReduceSum, or ReduceMean when `divides`.
Status reduce(ChipStep& step, bool divides);

}  // namespace godwit::exec
