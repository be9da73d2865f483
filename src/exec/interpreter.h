// The reference executor: every node by the evaluation of its operator, one after another.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "ir/model.h"

namespace godwit::exec {

enum class Precision : std::uint8_t {
  kAsWritten,  // the types of the model; floats under 32 bits are computed in fp32 and rounded
  kDouble      // every float is carried as fp64, also what the model casts to a narrower one
};

/// Called for every value as soon as it is made.
using Tap = std::function<Status(ir::ValueId, const ir::Datum&)>;

struct RunOptions {
  Precision precision = Precision::kAsWritten;
  Tap tap = nullptr;
  std::uint64_t seed = 0;  // of random operators without a seed of their own
};

/// Outputs of the main graph for `inputs`, one per input of the graph; an input with a default may
/// be left out by a Datum of kind kNothing. Errors: E150 an operator that we do not know, E151 what
/// an operator cannot do, E155 an input missing or of another type or size, E140 out of memory.
Result<std::vector<ir::Datum>> run(const ir::Model& model, std::vector<ir::Datum> inputs,
                                   const RunOptions& options = {});

/// One value for each input of the main graph, the default where none is given. Errors: E155.
Result<std::vector<ir::Datum>> bind_inputs(const ir::Model& model, std::vector<ir::Datum> inputs);

/// Runs one graph of a model that sees values of the graphs around it, as the branches of If do.
/// `outer` gives those that it names.
Result<std::vector<ir::Datum>> run_subgraph(const ir::Model& model, ir::GraphId graph,
                                            std::vector<ir::Datum> inputs,
                                            const std::function<ir::Datum(ir::ValueId)>& outer,
                                            const RunOptions& options = {});

}  // namespace godwit::exec
