// Layer observed: public reports of failures on real chips.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/verdict.h"

namespace godwit::facts {

struct Report {
  std::string id{}, operator_{}, soc{}, software{}, symptom{}, expected{}, resolution{};
  std::string source{}, at{};
};

Result<std::vector<Report>> reports();

/// Reports about an operator or API: those whose `operator_` starts with the name as a whole word.
Result<std::vector<Report>> reports_about(std::string_view name);

/// The same as evidence beside that of the tables.
Status add_reports(std::string_view name, std::vector<Evidence>& evidence);

}  // namespace godwit::facts
