// Libraries of the CUDA side as the rules ask for them.
#pragma once

#include <string_view>

#include "facts/libraries.h"

namespace godwit::port {

/// The library itself, or a port of it under the same import name, runs on the chip. What the
/// tables do not know counts as no.
bool runs_here(std::string_view import_name, const facts::Soc& soc);

}  // namespace godwit::port
