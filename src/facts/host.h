// Host names: parts of torch that start no operator of their own on a device.
#pragma once

#include <string_view>

#include "facts/eager.h"

namespace godwit::facts {

/// Makes an unknown verdict `framework` where the name is a container, a type, a switch, a loader
/// (api/host.tsv) or a torch.cuda name with a counterpart under torch.npu; says which row spoke.
Status judge_host(EagerVerdict& verdict);

}  // namespace godwit::facts
