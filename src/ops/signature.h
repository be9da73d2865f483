// What a call must fulfil before an evaluation sees it: inputs and attributes as the signature
// says.
#pragma once

#include <span>

#include "ir/tensor.h"
#include "ops/operator.h"

namespace godwit::ops {

/// The parameter at place `i` in this opset; one that repeats stands for all places from its own
/// on. Null: the signature ends before.
const Parameter* find_parameter(std::span<const Parameter> rows, std::int64_t opset, std::size_t i);

/// The element type of a tensor, or of what a sequence or optional holds; kUndefined of nothing.
ElementType element_of(const ir::Datum& datum);

/// E151: a required input is missing, there are too many, or the node makes nothing: what looks at
/// inputs and outputs by their places relies on this.
Status check_arity(const Operator& op, const ir::Node& node);

/// A node of an operator that we know, somebody wants its first output, and its counts are checked.
bool makes_first_output(const ir::Node& node);

/// E151: a required input or attribute is missing, there are too many inputs, an input has a type
/// that the operator does not take, or two have different types under one variable. A
/// double passes for any float: fp64 runs carry all of them so.
Status check_inputs(const Operator& op, const ir::Node& node, std::span<const ir::Datum> inputs);

}  // namespace godwit::ops
