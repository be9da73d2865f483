// Scales of quantisation: one for all, or one for each index of an axis.
#pragma once

#include <optional>

#include "ops/call.h"
#include "ops/walk.h"

namespace godwit::exec {

/// Calls `body(element, scale index)` for every element; false for scales of another form.
template <class Body>
bool for_each_scaled(const ops::Call& call, Body&& body) {
  const ir::Sizes& dims = call.input(0).dims();
  const std::int64_t scales = call.input(1).count();
  const auto count = static_cast<std::size_t>(call.input(0).count());
  if (scales == 1) {
    for (std::size_t i = 0; i < count; ++i) body(i, std::size_t{0});
    return true;
  }
  const auto axis = call.axis("axis", dims.size());
  if (!axis || call.input(1).rank() != 1 || dims[*axis] != scales) return false;
  ops::for_each_lane(dims, *axis, [&](const ops::Lane& lane) {
    for (std::size_t i = 0; i < lane.count; ++i) body(lane[i], i);
  });
  return true;
}

}  // namespace godwit::exec
