// Work of the host: calls whose tensors never reach the device, so that no verdict on the chip
// applies to them.
#pragma once

#include <string_view>

#include "project/project.h"

namespace godwit::scan {

/// The project makes new tensors on another device than the CPU by default.
bool changes_default_device(const project::Project& project);

/// A call that makes a tensor and names no device, or one that fills the weights of a module while
/// it is built: torch does both on the CPU unless the default device was changed.
bool is_host_work(std::string_view api, const project::Module& module, syntax::NodeIndex call);

/// `x.cpu().double` and `x.cpu().to(torch.float64)`: what comes after the move is host work.
bool follows_move_to_host(const project::Module& module, syntax::NodeIndex node);

}  // namespace godwit::scan
