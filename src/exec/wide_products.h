// Convolutions and products of fp64 tensors by kernels, for runs in reference precision.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "ir/model.h"
#include "ops/call.h"

namespace godwit::exec {

/// The output of a Conv or MatMul of doubles; nothing for other nodes, and for sizes that the
/// kernels do not know or the operator refuses: its own evaluation runs, or says why not.
Result<std::optional<ir::Datum>> wide_product(const ir::Node& node,
                                              const std::vector<ir::Datum>& inputs,
                                              const ops::Host& host);

}  // namespace godwit::exec
