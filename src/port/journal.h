// Journal: what was edited in place, kept in the project so that it can be taken back without git.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "port/port.h"

namespace godwit::port {

/// .godwit/port.json below the root of a project: one run after the other, newest last.
std::filesystem::path journal_path(const std::filesystem::path& root);

/// Adds the plan as a run. Errors: E005, E012 a damaged journal.
Status record(const Plan& plan);

}  // namespace godwit::port
