// Markdown: an outcome as a file that people read in the dossier.
#pragma once

#include <string>
#include <string_view>

#include "diag/finding.h"

namespace godwit::dossier {

/// Findings first, then the sections; cells and snippets cannot break out of their place.
std::string to_markdown(const diag::Outcome& outcome, std::string_view title);

}  // namespace godwit::dossier
