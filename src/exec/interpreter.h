// Runs a graph, one node after another; frees values after their last use and hands out each one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "exec/arithmetic.h"
#include "exec/liveness.h"
#include "ir/model.h"

namespace godwit::exec {

enum class Precision : std::uint8_t {
  kAsWritten,  // the types of the model; floats under 32 bits are computed in fp32 and rounded
  kDouble      // every float is carried as fp64, also what the model casts to a narrower one
};

/// Called for every value as soon as it is made.
using Tap = std::function<Status(ir::ValueId, const ir::Datum&)>;

/// Gives a graph the values of the graphs around it.
using Outer = std::function<ir::Datum(ir::ValueId)>;

struct RunOptions {
  Precision precision = Precision::kAsWritten;
  Arithmetic* arithmetic = nullptr;  // instead of that of `precision`
  Tap tap = nullptr;
  std::uint64_t seed = 0;  // of random operators without a seed of their own
};

/// A run that can go node by node through the main graph, so that two can go side by side.
class Interpreter {
 public:
  /// `model` and `arithmetic` must outlive it.
  Interpreter(const ir::Model& model, Arithmetic& arithmetic, Tap tap = nullptr,
              std::uint64_t seed = 0);
  /// Only for graphs that nodes of the main graph own: `outer` gives what they take from it.
  Interpreter(const ir::Model& model, Arithmetic& arithmetic,
              std::shared_ptr<const Liveness> liveness, Outer outer, Tap tap = nullptr,
              std::uint64_t seed = 0);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// Binds inputs and constants of the main graph. Errors: E155.
  Status start(std::vector<ir::Datum> inputs);
  bool done() const { return at_ == model_.main().nodes.size(); }
  /// Runs the next node.
  Status step() { return visit(0, at_++); }
  /// After the last step.
  std::vector<ir::Datum> outputs() const { return results(model_.main()); }

  /// Runs the graphs that a node owns; one for all nodes of a run, which share what it counts.
  const ops::Host& host() const { return host_; }
  /// A whole graph at once.
  Result<std::vector<ir::Datum>> run(ir::GraphId graph, std::vector<ir::Datum> inputs);

 private:
  ir::Datum value(ir::ValueId id) const;
  Status bind(const ir::Graph& graph, std::vector<ir::Datum> inputs);
  Status visit(ir::GraphId graph, std::size_t position);
  Status keep(ir::ValueId value, ir::Datum datum);
  std::vector<ir::Datum> results(const ir::Graph& graph) const;

  const ir::Model& model_;
  Arithmetic& arithmetic_;
  Tap tap_;
  Outer outer_;
  std::shared_ptr<const Liveness> liveness_;
  std::vector<ir::Datum> values_;
  ops::Host host_;
  std::size_t at_ = 0;
};

/// Outputs of the main graph for `inputs`, one per input of the graph; an input with a default may
/// be left out by a Datum of kind kNothing. Errors: E150 an operator that we do not know, E151 what
/// an operator cannot do, E155 an input missing or of another type or size, E140 out of memory.
Result<std::vector<ir::Datum>> run(const ir::Model& model, std::vector<ir::Datum> inputs,
                                   const RunOptions& options = {});

/// One value for each input of the main graph, the default where none is given. Errors: E155.
Result<std::vector<ir::Datum>> bind_inputs(const ir::Model& model, std::vector<ir::Datum> inputs);

}  // namespace godwit::exec
