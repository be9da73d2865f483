// What operators that run a graph again and again share: the slices that go in, the values of all
// runs that come out as one.
#pragma once

#include <string_view>
#include <vector>

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops {

/// The graph of the attribute `body`. Errors: E151 there is none.
Result<ir::GraphId> body_of(const Site& site);

/// Values of one output of all runs, put together along a new axis (the last one for -1). Without
/// any run the sizes come from what the graph declares, 0 where it declares none. Errors: E151
/// values of several types or sizes, or no tensors.
Result<Tensor> stacked(const Call& call, std::span<const Datum> values, std::int64_t axis,
                       const Type& declared);

/// Type of an output of which every run adds one: with one more axis. Errors: E151 a wrong axis.
Result<Type> stacked_type(const Inference& n, const Type& each, std::int64_t axis, Dim count);

/// A type of which only what stays the same in every run is said: element types, no sizes.
Type without_shape(const Type& type);

}  // namespace godwit::ops
