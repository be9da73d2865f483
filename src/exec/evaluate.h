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

/// A float of 16 bits or fewer.
bool is_narrow(ir::ElementType type);
/// Such a type as fp32; others as they are.
ir::ElementType widened(ir::ElementType type);
/// The type that an output is rounded to: that of the narrow input with the same type variable;
/// where the only such inputs are left out, that of the first input. kUndefined: none.
ir::ElementType stored_type(const ops::Operator& op, std::int64_t opset,
                            const std::vector<ir::Datum>& inputs, std::size_t output);

}  // namespace godwit::exec
