// Pictures: small inline SVG drawings; colours come from the style sheet, so they follow light and
// dark.
#pragma once

#include <vector>

#include "report/html.h"
#include "report/page.h"

namespace godwit::report {

/// A ring of shares with the one that matters in its middle.
Html donut(const std::vector<Slice>& slices, double middle_share);
/// The names, counts and colours of slices.
Html legend(const std::vector<Slice>& slices);
/// One bar of shares.
Html share_bar(const std::vector<Slice>& slices);
/// Seconds of the stages, one after the other.
Html timeline(const std::vector<StageRow>& stages);
/// Person-days as ranges on one scale.
Html range_chart(const Page& page);
/// Findings by file and severity on one scale.
Html heat_bars(const std::vector<FileRow>& files);

/// "0.5", "12", "140": days as people say them.
std::string days(double value);
std::string days(Range range);

}  // namespace godwit::report
