// Two runs, node by node, so that values can be compared without keeping all of them.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "exec/interpreter.h"
#include "exec/plan.h"

namespace godwit::exec {

/// One of the two runs.
struct Side {
  const ir::Model& model;
  Arithmetic& arithmetic;
  std::vector<ir::Datum> inputs{};
  std::uint64_t seed = 0;
  Plan* plan = nullptr;  // of the model with that arithmetic, instead of the interpreter
};

/// Values of two models that mean the same.
struct Match {
  ir::ValueId reference, found;
};

/// All values of one model that nodes make, and its inputs.
std::vector<Match> match_itself(const ir::Model& model);

/// Values with the same name, or whose origin names one value of the reference;
/// outputs that have none, by their place. A value of the reference stands once.
std::vector<Match> match_by_name(const ir::Model& reference, const ir::Model& found);

/// Called with both sides of a match, in the order in which the found side makes them. Of what a
/// body of If, Loop or Scan makes, those of its last run meet, before what its node makes.
using Visit =
    std::function<Status(const Match&, const ir::Datum& reference, const ir::Datum& found)>;

/// Runs both sides. The reference runs ahead only as far as the next match asks; what waits for its
/// other half is all that is kept beside the live values of both runs. Errors: those of both runs
/// and of `visit`.
Status run_side_by_side(Side reference, Side found, const std::vector<Match>& matches,
                        const Visit& visit);

}  // namespace godwit::exec
