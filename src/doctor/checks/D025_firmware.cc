// Driver and firmware come in one kit: the driver names the firmware that it goes with.
#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

// "[7.1.0,7.8.9]" or "[V1,V2],[…]": the first two numbers are the ends.
bool is_within(const std::string& range, const Version& number) {
  const std::string bare = replace_all(replace_all(range, "[", ""), "]", "");
  const auto ends = split_list(bare, ',');
  if (ends.size() < 2) return true;
  const auto low = Version::parse(trim(ends[0])), high = Version::parse(trim(ends[1]));
  return !low || !high || (number >= *low && (number <= *high || number.has_prefix(*high)));
}

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  const auto driver = environment.driver.version(), firmware = environment.firmware.version();
  const auto number = environment.firmware_number.version();
  if (!driver || (!firmware && !number)) return Verdict::kNotApplicable;
  const bool is_known = environment.firmware_range.known() && number;
  const bool fits = is_known
                        ? is_within(environment.firmware_range.value, *number)
                        : !firmware || firmware->leading(2) == driver->leading(2) ||
                              firmware->leading(1).size() == 1;  // an inner number says nothing
  if (fits) return Verdict::kJudged;
  findings.push_back(
      finding("D025", diag::Severity::kWarning, environment.firmware.source,
              {{"driver", driver->text()},
               {"firmware", environment.firmware.value},
               {"range", is_known ? environment.firmware_range.value : driver->leading(2)}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check firmware = {.code = "D025", .run = run};

}  // namespace godwit::doctor::checks
