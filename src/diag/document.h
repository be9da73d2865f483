// Findings and outcomes as JSON values: the view-model that machine formats share.
#pragma once

#include "diag/finding.h"

namespace godwit::diag {

/// {code, severity, file, line, column, end_line, end_column, title, message, remedy, count, …}
Json to_document(const Finding& finding);

/// {tool, version, command, findings, summary}
Json to_document(const Outcome& outcome);

}  // namespace godwit::diag
