// Einsum said in products of matrices.
#pragma once

#include "ops/expand.h"

namespace godwit::ops {

/// Errors: E151 where a rank is not known or the equation does not fit.
Status expand_einsum(Expansion& e);

}  // namespace godwit::ops
