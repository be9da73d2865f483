// Walks a graph in order and frees what is dead.
#include "exec/interpreter.h"

#include <utility>

#include "diag/messages.h"
#include "exec/fit.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::Tensor;

// What the graph asks of an input, against what it gets.
Status check_input(const ir::Value& wanted, const Datum& given) {
  const bool is_there = given.kind != Datum::Kind::kNothing || wanted.constant;
  return is_there ? check_fits(wanted, given) : refuse_value(wanted, diag::text("ops.nothing"));
}

}  // namespace

Interpreter::Interpreter(const ir::Model& model, Arithmetic& arithmetic, Tap tap,
                         std::uint64_t seed)
    : Interpreter(model, arithmetic, std::make_shared<const Liveness>(model), nullptr,
                  std::move(tap), seed) {}

Interpreter::Interpreter(const ir::Model& model, Arithmetic& arithmetic,
                         std::shared_ptr<const Liveness> liveness, Outer outer, Tap tap,
                         std::uint64_t seed)
    : model_(model),
      arithmetic_(arithmetic),
      tap_(std::move(tap)),
      outer_(std::move(outer)),
      liveness_(std::move(liveness)),
      values_(model.values.size()) {
  host_.seed = seed;
  host_.run_graph = [this](ir::GraphId graph, std::vector<Datum> inputs) {
    return run(graph, std::move(inputs));
  };
  host_.output_type = [this](ir::GraphId graph, std::size_t output) -> const ir::Type& {
    return model_.values[model_.graphs[graph].outputs[output]].type;
  };
}

Status Interpreter::keep(ir::ValueId value, Datum datum) {
  values_[value] = std::move(datum);
  return tap_ ? tap_(value, values_[value]) : Status();
}

Datum Interpreter::value(ir::ValueId id) const {
  if (id == ir::kNone) return {};
  const Datum& own = values_[id];
  return own.kind == Datum::Kind::kNothing && outer_ ? outer_(id) : own;
}

Status Interpreter::bind(const ir::Graph& graph, std::vector<Datum> inputs) {
  for (std::size_t i = 0; i < graph.inputs.size() && i < inputs.size(); ++i)
    TRY(keep(graph.inputs[i], std::move(inputs[i])));
  for (const ir::ValueId value : graph.constants) {
    if (values_[value].kind != Datum::Kind::kNothing) continue;
    ASSIGN(Tensor tensor, model_.values[value].constant->aligned());
    ASSIGN(values_[value], arithmetic_.carry(value, Datum(std::move(tensor))));
  }
  return {};
}

Status Interpreter::visit(ir::GraphId graph, std::size_t position) {
  const ir::Node& node = model_.nodes[model_.graphs[graph].nodes[position]];
  std::vector<Datum> inputs;
  for (const ir::ValueId input : node.inputs) inputs.push_back(value(input));
  ASSIGN(std::vector<Datum> made, arithmetic_.evaluate(node, std::move(inputs), host_));
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (node.outputs[i] != ir::kNone) TRY(keep(node.outputs[i], std::move(made[i])));
  }
  for (const ir::ValueId dead : liveness_->dead_after(graph, position)) values_[dead] = {};
  return {};
}

std::vector<Datum> Interpreter::results(const ir::Graph& graph) const {
  std::vector<Datum> out;
  for (const ir::ValueId output : graph.outputs) out.push_back(value(output));
  return out;
}

Result<std::vector<Datum>> Interpreter::run(ir::GraphId id, std::vector<Datum> inputs) {
  const ir::Graph& graph = model_.graphs[id];
  TRY(bind(graph, std::move(inputs)));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) TRY(visit(id, i));
  return results(graph);
}

Status Interpreter::start(std::vector<Datum> inputs) {
  ASSIGN(std::vector<Datum> bound, bind_inputs(model_, std::move(inputs)));
  for (std::size_t i = 0; i < bound.size(); ++i) {
    ASSIGN(bound[i], arithmetic_.carry(model_.main().inputs[i], std::move(bound[i])));
  }
  return bind(model_.main(), std::move(bound));
}

Result<std::vector<Datum>> bind_inputs(const ir::Model& model, std::vector<Datum> inputs) {
  const ir::Graph& graph = model.main();
  inputs.resize(graph.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ir::Value& value = model.values[graph.inputs[i]];
    TRY(check_input(value, inputs[i]));
    if (inputs[i].kind != Datum::Kind::kNothing) continue;
    ASSIGN(Tensor tensor, value.constant->aligned());
    inputs[i] = Datum(std::move(tensor));
  }
  return inputs;
}

namespace {

/// The arithmetic that the options ask for.
struct Chosen {
  explicit Chosen(const RunOptions& options) {
    if (options.precision == Precision::kDouble) arithmetic = &in_double;
    if (options.arithmetic) arithmetic = options.arithmetic;
  }
  AsWritten as_written;
  InDouble in_double;
  Arithmetic* arithmetic = &as_written;
};

}  // namespace

Result<std::vector<Datum>> run(const ir::Model& model, std::vector<Datum> inputs,
                               const RunOptions& options) {
  const Chosen chosen(options);
  Interpreter interpreter(model, *chosen.arithmetic, options.tap, options.seed);
  TRY(interpreter.start(std::move(inputs)));
  while (!interpreter.done()) TRY(interpreter.step());
  return interpreter.outputs();
}

}  // namespace godwit::exec
