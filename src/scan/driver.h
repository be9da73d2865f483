// Driver: shows every rule the places that it asked for.
#pragma once

#include <vector>

#include "scan/rule.h"
#include "scan/suppress.h"

namespace godwit::scan {

/// What run_rules left out: text files, and findings that a comment in place answers.
struct Tally {
  std::size_t skipped = 0, suppressed = 0;
};

/// Rules over all Python modules and text files of the scene's project. Suppression comments that
/// were met are appended to `suppressions` and obeyed; text files that could not be read or are too
/// large are skipped.
Findings run_rules(const Scene& scene, std::vector<Suppression>& suppressions, Tally& tally);

}  // namespace godwit::scan
