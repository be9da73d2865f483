// Install: the commands that bring a machine from what it has to a solution, in the order they must
// run.
#pragma once

#include <string>
#include <vector>

#include "doctor/solve.h"
#include "facts/soc.h"

namespace godwit::doctor {

struct Step {
  std::string command{};
  std::string note{};  // key of a message, empty when the command speaks for itself
};

/// Leaves out what is installed already. `soc` null: the chip stays open as "<chip>" in file names.
std::vector<Step> install_steps(const Knowledge& knowledge, const Environment& environment,
                                const Solution& solution, const facts::Soc* soc);

}  // namespace godwit::doctor
