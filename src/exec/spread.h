// How far predictions lie apart that differ in what nobody has published: the order of sums on the
// cube, and what the compiler fuses.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "exec/npu.h"

namespace godwit::exec {

struct Spread {
  ir::ValueId output = ir::kNone;
  double distance = 0;     // the largest, rms over the rms of the prediction
  std::string farthest{};  // "sequential, fused": which choice lies there
};

/// Of each output that holds numbers, over all orders and both kinds of store points, against the
/// prediction with `options`. Errors: those of a run.
Result<std::vector<Spread>> spread(const ir::Model& model, const facts::Numerics& chip,
                                   const NpuOptions& options, const std::vector<ir::Datum>& inputs,
                                   std::uint64_t seed);

}  // namespace godwit::exec
