// Reads: where the value of an assignment is read again, for tests of the device that are kept in a
// flag first.
#pragma once

#include <optional>
#include <vector>

#include "port/subject.h"

namespace godwit::port {

/// What the assignment of `value` fills, when it is a plain variable or an attribute of self;
/// kNoNode for anything else.
NodeIndex flag_of(const Subject& subject, NodeIndex value);

/// All places that read the flag: the variable in its scope, or the attribute in the module.
std::vector<NodeIndex> reads_of(const Subject& subject, NodeIndex flag);

}  // namespace godwit::port
