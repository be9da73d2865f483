// What a signature says of the inputs of one node, held against the values it gets.
#pragma once

#include <span>
#include <vector>

#include "ir/tensor.h"
#include "ops/operator.h"

namespace godwit::ops {

/// The parameter that stands at place `i` in an opset; null behind the last.
const Parameter* find_parameter(std::span<const Parameter> rows, std::int64_t opset, std::size_t i);

/// Errors: E151 an input that is missing, of a type that its parameter does not take, or of
/// another type than inputs with the same variable. A double passes for any float: fp64 runs carry
/// all of them so.
Status check_inputs(const Operator& op, const ir::Node& node, const std::vector<ir::Datum>& inputs);

}  // namespace godwit::ops
