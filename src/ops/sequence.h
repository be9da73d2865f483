// Sequences: places in them, and the types of what they hold.
#pragma once

#include "ops/call.h"
#include "ops/inference.h"
#include "ops/signature.h"

namespace godwit::ops {

/// The place that input `i` names in a sequence of so many items, counted from the end when
/// negative. Errors: E151 outside [-size, size), or no single number.
Result<std::size_t> item_place(const Call& call, std::size_t i, std::size_t size);

/// Type of the items of a sequence or optional; unknown when nothing is said.
Type inner_type(const Type& type);
inline Type sequence_of(Type item) { return Type::around(Type::Kind::kSequence, std::move(item)); }

/// A sequence of tensors, which knows their type even when it has none.
Datum sequence_of(std::vector<Datum> items, ElementType element);

}  // namespace godwit::ops
