// What evaluations demand of the shapes of their inputs before they touch a value.
#pragma once

#include "ops/call.h"

namespace godwit::ops {

/// Errors: E151 input `i` has other sizes.
Status expect_sizes(const Call& call, std::size_t i, const Sizes& wanted);
/// Errors: E151 input `i` has another number of axes.
Status expect_rank(const Call& call, std::size_t i, std::size_t rank);
/// Errors: E151 input `i` has fewer axes.
Status expect_rank_from(const Call& call, std::size_t i, std::size_t least);

}  // namespace godwit::ops
