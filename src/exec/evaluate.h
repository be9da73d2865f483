// One node by the evaluation of its operator: what every executor falls back on.
#pragma once

#include <vector>

#include "base/result.h"
#include "ir/model.h"
#include "ops/call.h"

namespace godwit::exec {

/// Outputs of a node, one for each that it names. Floats under 32 bits are widened before and
/// rounded after, where the operator does not handle them itself. `host` runs the subgraphs that
/// the node may own. Errors: E150 an operator that we do not know, E151 what it cannot do, E140.
Result<std::vector<ir::Datum>> evaluate(const ir::Node& node, std::vector<ir::Datum> inputs,
                                        const ops::Host& host);

/// The same of a node all of whose inputs are constants.
Result<std::vector<ir::Datum>> evaluate_constant(const ir::Model& model, ir::NodeId node);

}  // namespace godwit::exec
