// Quantisation by one scale or by one for every slice of an axis.
#pragma once

#include "ops/expand.h"

namespace godwit::ops {

/// Opset 13 and newer can have many scales; before it must be known that there is one.
inline Result<bool> adapt_scales(Expansion& e, std::int64_t target) {
  const Shape* const scale = e.shape(1);
  const bool is_one = scale && (scale->empty() || (scale->size() == 1 && (*scale)[0].is(1)));
  if (target < 13 && !is_one)
    return e.refuse("shape", {{"a", scale ? to_string(*scale) : "?"}, {"b", "[]"}});
  return false;
}

}  // namespace godwit::ops
