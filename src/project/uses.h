// Uses: one sweep over a module that names every outside thing it touches.
#pragma once

#include <cstdint>
#include <vector>

#include "project/evaluator.h"

namespace godwit::project {

/// All uses of the module, in source order.
std::vector<Use> find_uses(Evaluator& evaluator);

/// An argument of a call that is known to run a function of the project.
struct Given {
  Symbol function;
  std::uint32_t position = 0;  // of the parameter; kNoIndex: all of them get something unseen
  Value value = kUnknownValue;
};

/// What this module's calls hand to functions of the project. Also marks the parameters of this
/// module that are handed to tensor operators (Evaluator::tensor_parameters).
std::vector<Given> find_call_sites(Evaluator& evaluator);

}  // namespace godwit::project
