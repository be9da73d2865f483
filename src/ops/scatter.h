// Writing updates into a copy of a tensor at given places, where several may meet.
#pragma once

#include "ops/call.h"

namespace godwit::ops {

/// Output 0: input 0 with blocks of `block` neighbouring elements of input 2 written at `places`
/// (counted in elements), in order, as the attribute `reduction` combines them. The caller has
/// checked the places. Errors: E151 a reduction that is not known, or not of this type.
Status scatter(Call& call, const std::vector<std::size_t>& places, std::size_t block);

/// The evaluation of ScatterElements: one update for each index along the attribute `axis`.
Status scatter_elementwise(Call& call);

}  // namespace godwit::ops
