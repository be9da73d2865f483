// Requirements: what a line such as "torch==2.1.0+cu118" asks for, and whether an NPU machine has
// it.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "facts/libraries.h"
#include "port/rule.h"

namespace godwit::port {

/// "flash-attn" of "flash-attn>=2.0".
std::string_view package_of(std::string_view requirement);

/// The library that a package brings when it does not run on the chip as it is.
std::optional<facts::Library> library_lacking(std::string_view package, const World& world);

/// Begin and end of "+cu118"; empty range where there is none.
std::pair<std::size_t, std::size_t> cuda_tag(std::string_view requirement);

}  // namespace godwit::port
