// Changing the element types inside a value, whatever it is made of.
#pragma once

#include <utility>

#include "base/result.h"
#include "ir/tensor.h"

namespace godwit::exec {

/// The value with every tensor in it converted to the type that `wanted` gives for its own.
template <class Wanted>
Result<ir::Datum> converted(ir::Datum datum, Wanted&& wanted) {
  if (datum.is_tensor()) {
    const ir::ElementType type = wanted(datum.tensor.type());
    if (type == datum.tensor.type()) return datum;
    ASSIGN(ir::Tensor out, ir::convert(datum.tensor, type));
    return ir::Datum(std::move(out));
  }
  for (ir::Datum& item : datum.items) {
    ASSIGN(item, converted(std::move(item), wanted));
  }
  return datum;
}

}  // namespace godwit::exec
