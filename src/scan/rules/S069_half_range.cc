// Constants beyond FP16's range: on a chip that saturates they become the largest finite number.
#include "base/text.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

constexpr double kLargestHalf = 65504.0;

// The number in "-1e9" or "-float('inf')"; nothing for anything that is not written out.
bool is_out_of_range(std::string_view text) {
  if (contains(text, "inf")) return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto number = parse_number(trim(text));
  return number && *number > kLargestHalf;
}

void visit(const Site& site, Findings& out) {
  if (!facts::is_yes(site.scene.soc().saturates) || !site.is_call()) return;
  const auto value = site.argument("value", site.last_part() == "where" ? 2 : 1);
  if (value == syntax::kNoNode || !is_out_of_range(site.text(value))) return;
  out.push_back(site.finding({{"value", std::string(site.text(value))}}));
}

}  // namespace

extern const Rule half_range = {
    .code = "S069",
    .severity = diag::Severity::kNote,
    .once_per_file = true,
    .names = {"*.masked_fill", "*.masked_fill_", "torch.masked_fill"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
