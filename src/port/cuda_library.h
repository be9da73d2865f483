// CUDA libraries: which code runs what exists for CUDA only (a library, an extension that the
// project compiles), and what runs in its place where the choice goes the other way.
#pragma once

#include "port/subject.h"

namespace godwit::port {

struct World;

/// The library or extension that a test of the device guards: `x.is_cuda` in `if flash_attn and
/// x.is_cuda:`, by what the condition and the branch behind it use. Empty when every library there
/// has something for the chip.
std::string_view guarded_library(const Subject& subject, NodeIndex test, const World& world);

/// The name, or what it lies in, exists for CUDA only.
bool is_cuda_only(std::string_view name, const World& world);

struct OtherWay {
  std::string_view library{};  // of the way that the flag turns on
  NodeIndex plain = kNoNode;   // the code without it
};

/// A flag in a condition with a way that needs such a library and one that does not: `fast` in `if
/// fast: ext.run(x) else: x + 1`. Empty for anything else, and for a flag that says whether the
/// library could be imported.
OtherWay other_way(const Subject& subject, NodeIndex flag, const World& world);

}  // namespace godwit::port
