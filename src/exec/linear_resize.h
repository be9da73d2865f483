// Resizing by values between neighbours, beside the nearest one, which only moves elements.
#pragma once

#include "exec/lowering.h"

namespace godwit::exec {

/// The step of a Resize or Upsample that interpolates linearly along the last two axes; empty for
/// any other.
Result<Step> make_linear_resize(const Part& part);

}  // namespace godwit::exec
