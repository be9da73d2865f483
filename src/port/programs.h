// Programs: what of a ported project may be started, and the command line that starts it.
#pragma once

#include <string>
#include <vector>

#include "port/cards.h"
#include "port/port.h"

namespace godwit::port {

/// Where to look: those that train when `trains`, else every entry script that uses torch.
struct Candidates {
  const project::Project& project;
  const std::vector<Subject>& subjects;
  const Cards& cards;
  bool trains = false;
};

/// At most three, those with a launch line in a script of the ported project first. A program
/// without one is started by its path.
std::vector<Program> find_programs(const Candidates& from, const Plan& plan);

}  // namespace godwit::port
