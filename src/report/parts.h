// Parts of the page, in the order in which they stand.
#pragma once

#include "report/html.h"
#include "report/page.h"

namespace godwit::report {

/// A text of the product, in its language.
Html word(std::string_view key, const Args& args = {});

Html head_part(const Page& page);       // what, for which chip, the answer in one line
Html figures_part(const Page& page);    // four numbers
Html versions_part(const Page& page);   // what is installed, what fits
Html support_part(const Page& page);    // coverage, tiers of models
Html effort_part(const Page& page);     // person-days with their basis
Html next_part(const Page& page);       // what to do now
Html findings_part(const Page& page);   // all of them, with a filter
Html files_part(const Page& page);      // where they lie
Html checklist_part(const Page& page);  // prepare to accept
Html record_part(const Page& page);     // stages, versions, commands

}  // namespace godwit::report
