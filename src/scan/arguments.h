// Arguments that decide which operators an API reaches: interpolate by its mode, for example.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "facts/eager.h"
#include "project/module.h"

namespace godwit::scan {

/// Operators that this call reaches (without namespace and overload), or nothing when the tables
/// name no deciding argument of the API, or its value is not written out.
std::optional<std::vector<std::string_view>> reached_operators(std::string_view api,
                                                               const project::Module& module,
                                                               syntax::NodeIndex call);

/// Those offenders of a verdict that are among the reached operators or their gradients.
std::vector<std::string> offenders_among(const facts::EagerVerdict& verdict,
                                         const std::vector<std::string_view>& reached);

}  // namespace godwit::scan
