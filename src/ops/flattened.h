// Operators that took all axes from `axis` on as one before opset 13.
#pragma once

#include <numeric>
#include <string_view>
#include <utility>

#include "ops/term.h"

namespace godwit::ops {

/// For the last axis both mean the same; else the call is made on the last axis of other sizes.
inline Result<bool> adapt_flattened(Expansion& e, std::int64_t target) {
  ASSIGN(const Term x, term(e, 0));
  ASSIGN(const std::size_t rank, e.known_rank(0));
  ASSIGN(const std::size_t axis, e.axis("axis", rank));
  if (axis + 1 == rank) return false;
  const std::vector<ir::Attribute> last = {{"axis", std::int64_t{-1}}};
  if (target >= 13) {
    const Term rows = x.then("Flatten", {}, {{"axis", static_cast<std::int64_t>(axis)}});
    e.set_output(0, rows.then(e.op().name, {}, last).reshaped(e.add("Shape", {x})));
    return true;
  }
  Ints order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[axis], order[rank - 1]);
  e.set_output(0, x.transposed(order).then(e.op().name, {}, last).transposed(order));
  return true;
}

}  // namespace godwit::ops
