// Answers: what scan finds and port edits or leaves is one matter, and is told once.
#pragma once

#include <map>
#include <string>

#include "diag/finding.h"

namespace godwit::report {

/// The outcomes with each scan finding that names a rule of port (`answered_by`) held against that
/// rule's work on the same line, or in the same file where one finding stands for several places:
/// left by port, port's own finding stands for both; edited, it stays as a note, `state` ported.
std::map<std::string, diag::Outcome> with_answers(std::map<std::string, diag::Outcome> outcomes);

}  // namespace godwit::report
