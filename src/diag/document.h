// Findings and outcomes as JSON values: the view-model that machine formats share.
#pragma once

#include "diag/finding.h"

namespace godwit::diag {

/// {code, severity, file, line, column, end_line, end_column, title, message, remedy, count, …}
Json to_document(const Finding& finding);

/// The form of these documents (data/schema/output.schema.json); grows by one when a member changes
/// its meaning or goes.
inline constexpr int kDocumentForm = 1;

/// The figures of a command with the counts of its findings (counts.h) as `findings`.
Json summary_of(const Outcome& outcome);

/// {tool, version, form, command, findings, summary}
Json to_document(const Outcome& outcome);

/// Reads a finding back; texts are made anew in the current language. Members of another type than
/// the schema says count as absent.
Finding to_finding(const Json& document);

}  // namespace godwit::diag
