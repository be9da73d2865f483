// Whether a value is what the model says of it.
#pragma once

#include "base/result.h"
#include "ir/model.h"

namespace godwit::exec {

/// E155: the value is of another kind, type or size; an optional may come as what it holds. One
/// that is not there fits.
Status check_fits(const ir::Value& wanted, const ir::Datum& given);

/// E155: `found` stands where the value was wanted.
tl::unexpected<Error> refuse_value(const ir::Value& wanted, std::string found);

}  // namespace godwit::exec
