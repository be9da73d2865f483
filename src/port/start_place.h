// Start place: where a program joins its process group.
#pragma once

#include "port/training.h"

namespace godwit::port {

/// The statement in front of which it belongs: the first one under the main guard, or the first one
/// behind imports and definitions in a program without a guard or with a training beside it.
/// kNoNode when there is none.
NodeIndex find_start(const TrainingProgram& program);

}  // namespace godwit::port
