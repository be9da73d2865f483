// Moving elements of any type: bytes as they lie in memory, strings as objects.
#pragma once

#include "ops/call.h"
#include "ops/walk.h"

namespace godwit::ops {

/// Copies neighbouring elements between tensors of the same type; the caller knows that the places
/// exist.
void copy_elements(const Tensor& from, std::size_t at, Tensor& to, std::size_t where,
                   std::size_t count = 1);

/// The tensor of `dims` whose element (i0, i1, …) is from[start + i0 * steps[0] + i1 * steps[1] …].
/// Errors: E140.
Result<Tensor> strided(const Tensor& from, Sizes dims, const std::vector<std::int64_t>& steps,
                       std::int64_t start = 0);

/// Tensors one behind the other along an axis; their types and other sizes are the same.
Result<Tensor> joined(std::span<const Tensor> parts, std::size_t axis);

/// The part [first, first + size) of an axis.
Result<Tensor> part_of(const Tensor& whole, std::size_t axis, std::int64_t first,
                       std::int64_t size);

/// The slices at `places` along an axis, in this order, under `dims` with as many elements. The
/// caller knows that the places exist.
Result<Tensor> taken(const Tensor& from, std::size_t axis, const std::vector<std::size_t>& places,
                     Sizes dims);

/// A tensor filled with one element of `value`.
Result<Tensor> filled(const Tensor& value, std::size_t element, Sizes dims);

}  // namespace godwit::ops
