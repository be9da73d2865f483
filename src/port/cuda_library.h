// CUDA libraries: which code runs a library that exists for CUDA only, so that its tests of the
// device stay.
#pragma once

#include "facts/soc.h"
#include "port/subject.h"

namespace godwit::port {

/// The library that a test of the device guards: `x.is_cuda` in `if flash_attn and x.is_cuda:`, by
/// what the condition and the branch behind it use. Empty when every library there has something
/// for the chip.
std::string_view guarded_library(const Subject& subject, NodeIndex test, const facts::Soc& soc);

}  // namespace godwit::port
