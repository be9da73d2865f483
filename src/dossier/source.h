// Source: what a report is made from, read from the stages of a run or from a dossier on disk.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "dossier/stage.h"
#include "report/page.h"

namespace godwit::dossier {

/// Outcomes of all stages before the current one.
report::Source source_of(const Context& context);

/// Errors: E092 not a dossier, E088 its manifest cannot be used, and those of reading outcomes.
Result<report::Source> read_source(const std::filesystem::path& folder);

/// All findings of a source as the outcome of one command, blocking first.
diag::Outcome merge(const report::Source& source);

/// Draws the report.html of a dossier again, in the current language. The next migrate draws it
/// anew. Errors: as read_source; E005, E086, E089 it was changed by hand, E090.
Status redraw(const std::filesystem::path& folder);

/// stages/NAME.json of a dossier, as the stage wrote it. Errors: E093 missing, damaged or edited.
Result<diag::Outcome> read_outcome(const std::filesystem::path& folder, const Manifest& manifest,
                                   std::string_view stage);

}  // namespace godwit::dossier
