// What evaluations demand of attributes and shapes before they touch a value.
#pragma once

#include "ops/call.h"

namespace godwit::ops {

/// E151: the attribute, with the value that the node gives it.
tl::unexpected<Error> refuse_attribute(const Site& site, std::string_view name);
/// E151: an index outside [0, size).
tl::unexpected<Error> refuse_index(const Site& site, std::int64_t index, std::int64_t size);
/// E151: two shapes that do not fit each other.
tl::unexpected<Error> refuse_shapes(const Site& site, const Sizes& a, const Sizes& b);
/// E151: no elements where one is needed.
tl::unexpected<Error> refuse_empty(const Site& site, const Sizes& dims);

/// Errors: E151 input `i` has other sizes.
Status expect_sizes(const Call& call, std::size_t i, const Sizes& wanted);
/// Errors: E151 input `i` has another number of axes.
Status expect_rank(const Call& call, std::size_t i, std::size_t rank);
/// Errors: E151 input `i` has fewer axes.
Status expect_rank_from(const Call& call, std::size_t i, std::size_t least);
/// Errors: E151 input `i` does not broadcast to the shape of input `to`. One left out does.
Status expect_broadcasts(const Call& call, std::size_t i, std::size_t to);

}  // namespace godwit::ops
