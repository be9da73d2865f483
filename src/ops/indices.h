// Indices as operators take them: negative ones count from the end, none may lead outside.
#pragma once

#include "ops/call.h"
#include "ops/expect.h"

namespace godwit::ops {

/// The place along an axis of `size`. Errors: E151 outside [-size, size).
inline Result<std::size_t> place(const Site& site, std::int64_t index, std::int64_t size) {
  if (index < -size || index >= size) return refuse_index(site, index, size);
  return static_cast<std::size_t>(index < 0 ? index + size : index);
}

/// For the indices of input 1, which count along `axis` of input 0: the element that each means;
/// its other coordinates are those of the index. Errors: E151 ranks or sizes that do not fit.
Result<std::vector<std::size_t>> element_places(const Call& call, std::size_t axis);

/// For rows of coordinates in input 1, which count in the axes of input 0 from `batch_dims` on:
/// the first element of the block that each row means.
struct Blocks {
  std::vector<std::size_t> places{};
  std::size_t block = 1;  // elements of one
  Sizes dims{};           // of all of them: batch and rows first, then those of a block
};
Result<Blocks> block_places(const Call& call, std::size_t batch_dims);

}  // namespace godwit::ops
