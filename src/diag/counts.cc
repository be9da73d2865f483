// Counting by kind needs the messages, so it follows the language of the run as the texts do.
#include "diag/counts.h"

#include <set>

#include "base/text.h"

namespace godwit::diag {
namespace {

Json by_severity(const std::array<std::size_t, 3>& counts) {
  Json out = Json::object();
  out.set("errors", counts[static_cast<std::size_t>(Severity::kError)]);
  out.set("warnings", counts[static_cast<std::size_t>(Severity::kWarning)]);
  out.set("notes", counts[static_cast<std::size_t>(Severity::kNote)]);
  return out;
}

}  // namespace

std::string kind_of(const Finding& finding) {
  return format("{}\n{}\n{}", static_cast<int>(finding.severity), finding.code, finding.message());
}

Counts count(const std::vector<Finding>& findings) {
  Counts counts;
  std::set<std::string> seen;
  for (const Finding& finding : findings) {
    const auto severity = static_cast<std::size_t>(finding.severity);
    counts.places[severity] += finding.count;
    if (seen.insert(kind_of(finding)).second) ++counts.kinds[severity];
  }
  return counts;
}

Json to_document(const Counts& counts) {
  Json out = by_severity(counts.kinds);
  out.set("places", by_severity(counts.places));
  return out;
}

}  // namespace godwit::diag
