// Literals: texts that name a device, a backend or a tensor type, and small questions on call
// arguments.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "port/rule.h"

namespace godwit::port {

/// "cuda", "cuda:0", "cuda:%d", "cuda:{}", "cuda:": the text names a CUDA device.
bool names_cuda_device(std::string_view content);

/// Where the literal is no value at all but part of a message: print, log, raise, help=.
bool is_message(const StringSite& site);

/// How an edit of a literal is shown to be right, or nothing when it is not shown.
std::optional<Proof> proof_of(const StringSite& site, World& world, Meaning meaning);

/// True when no class of the project has a method of this name, or the object's type is torch's.
std::optional<Proof> proof_of_method(const UseSite& site, const World& world,
                                     std::string_view method);

/// The identifier at the end of a dotted name.
NodeIndex last_identifier(const Subject& subject, NodeIndex dotted);

}  // namespace godwit::port
