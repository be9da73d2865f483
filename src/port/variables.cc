// Joins the table of variables with the few values that can be checked.
#include "port/variables.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::port {
namespace {

// "0,1,3": numbers in ascending order, without blanks; all that ASCEND_RT_VISIBLE_DEVICES takes.
bool is_ascending_list(std::string_view value) {
  std::int64_t last = -1;
  for (const std::string_view part : split(value, ',')) {
    const auto number = parse_integer(part);
    if (!number || *number <= last || part.empty() || part.front() < '0' || part.front() > '9')
      return false;
    last = *number;
  }
  return true;
}

// Similar variables of which a value can be checked; all others are left to a person.
bool has_check(std::string_view name) {
  return name == "CUDA_VISIBLE_DEVICES" || name == "NVIDIA_VISIBLE_DEVICES";
}

}  // namespace

Result<Verdict> judge_variable(std::string_view name, const std::string_view* value) {
  ASSIGN(const auto rows, facts::find_variable(name));
  if (rows.empty() || rows.front().ascend == name) return Verdict{};
  const facts::Variable& row = rows.front();
  Verdict made{.ascend = row.ascend, .note = row.note};
  if (row.relation == facts::Relation::kNone) made.fit = Fit::kNone;
  if (row.relation == facts::Relation::kSame) made.fit = Fit::kRename;
  if (row.relation == facts::Relation::kSimilar) {
    made.fit = !has_check(name)                      ? Fit::kSimilar
               : !value || is_ascending_list(*value) ? Fit::kRename
                                                     : Fit::kValue;
  }
  return made;
}

bool is_unfit_value(std::string_view name, std::string_view value) {
  const auto verdict = judge_variable(name, &value);
  return verdict && verdict->fit == Fit::kValue;
}

}  // namespace godwit::port
