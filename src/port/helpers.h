// Helpers: small modules of ours that a ported project imports, added beside its programs.
#pragma once

#include "base/result.h"
#include "port/cards.h"
#include "port/port.h"

namespace godwit::port {

/// Adds to the plan the helpers that its edits import, one copy in the folder of each program that
/// may run an edited module: that folder is where Python looks first. Errors: E008; E119 the
/// project has a file of that name.
Status add_helpers(const project::Project& project, const Cards& cards, Plan& plan);

}  // namespace godwit::port
