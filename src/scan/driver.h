// Driver: shows every rule the places that it asked for.
#pragma once

#include <vector>

#include "scan/rule.h"
#include "scan/suppress.h"

namespace godwit::scan {

/// Rules over all Python modules and text files of the scene's project. Suppression comments that
/// were met are appended to `suppressions`; text files that could not be read or are too large are
/// skipped and counted in `skipped`.
Findings run_rules(const Scene& scene, std::vector<Suppression>& suppressions,
                   std::size_t& skipped);

}  // namespace godwit::scan
