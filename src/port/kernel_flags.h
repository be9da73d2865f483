// Kernel flags: variables of a project that turn a kernel for CUDA on, with plain PyTorch where
// they are false.
#pragma once

#include <functional>

#include "port/cuda_library.h"
#include "port/rule.h"

namespace godwit::port {

/// Marks them as Meaning::kKernel, and as held those that are also read or filled in another way.
/// Before the flow is frozen.
void mark_kernel_flags(World& world);

/// Calls `visit` with each flag of the module and the two ways that its test chooses from.
void for_each_kernel_flag(const Subject& subject, const World& world,
                          const std::function<void(NodeIndex, const OtherWay&)>& visit);

/// Some place of the project sets the flag to True; what it holds otherwise is no choice of ours.
bool is_turned_on(const Subject& subject, NodeIndex flag, World& world);

/// The switch fills a flag that turns a kernel on and that is ours to set.
bool turns_kernel_on(const Switch& found, const World& world);

}  // namespace godwit::port
