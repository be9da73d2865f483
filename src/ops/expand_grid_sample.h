// GridSample said in gathers and weights.
#pragma once

#include "ops/expand.h"

namespace godwit::ops {

/// Errors: E151 where the rank is not known, or for a type that has no numbers between its own.
Status expand_grid_sample(Expansion& e);

}  // namespace godwit::ops
