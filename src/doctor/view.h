// View: the picture, the plan and the commands as sections for people and as a summary for
// machines.
#pragma once

#include <string>
#include <vector>

#include "doctor/check.h"

namespace godwit::doctor {

/// How many checks could be judged; `unknown` are the codes of those that lacked a fact.
struct Tally {
  std::size_t judged = 0;
  std::size_t not_applicable = 0;
  std::vector<std::string> unknown{};
};

void add_views(const Context& context, const facts::Target* target, const Tally& tally,
               diag::Outcome& outcome);

}  // namespace godwit::doctor
