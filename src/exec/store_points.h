// Where an NPU stores what it computes, and so rounds it: after every node, or only where values
// leave a chain that its compiler fuses.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/model.h"

namespace godwit::exec {

enum class Stores : std::uint8_t {
  kUnfused,  // after every node: what runs operator by operator
  kFused     // a product or element-wise result that only an element-wise node takes stays in fp32
};

enum class StorePoint : std::uint8_t {
  kStored,    // rounded to the type of the store
  kInFlight,  // stays in fp32 on the way to the node that takes it
  kOnHost     // computed by the compiler or the host: shapes, and parameters that are fp32 always
};

/// One for each value. What the compiler fuses is not published: the two choices of `stores` are
/// the ends of what can be.
std::vector<StorePoint> store_points(const ir::Model& model, Stores stores);

}  // namespace godwit::exec
