// Walks a graph in order, widens and rounds small floats around each evaluation, frees what is
// dead.
#include "exec/interpreter.h"

#include <utility>

#include "base/text.h"
#include "diag/messages.h"
#include "exec/convert.h"
#include "exec/evaluate.h"
#include "exec/liveness.h"
#include "ops/call.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::ElementType;
using ir::Tensor;

ElementType doubled(ElementType type) {
  const bool is_real = type == ElementType::kFloat || type == ElementType::kFloat16 ||
                       type == ElementType::kBfloat16;
  return is_real ? ElementType::kDouble : type;
}

bool is_cast_of_reals(const ir::Node& node, const std::vector<Datum>& inputs) {
  if (node.op != "Cast" || !node.domain.empty() || inputs.empty()) return false;
  if (inputs[0].tensor.type() != ElementType::kDouble) return false;
  const ir::Attribute* const to = node.attribute("to");
  const auto* const number = to ? std::get_if<std::int64_t>(&to->value) : nullptr;
  return number && doubled(static_cast<ElementType>(*number)) == ElementType::kDouble;
}

using Outer = std::function<Datum(ir::ValueId)>;

class Interpreter {
 public:
  Interpreter(const ir::Model& model, const RunOptions& options, Outer outer = nullptr)
      : model_(model),
        options_(options),
        outer_(std::move(outer)),
        liveness_(model),
        values_(model.values.size()) {
    host_.seed = options.seed;
    host_.run_graph = [this](ir::GraphId graph, std::vector<Datum> inputs) {
      return run(graph, std::move(inputs));
    };
  }
  Result<std::vector<Datum>> run(ir::GraphId graph, std::vector<Datum> inputs);

 private:
  Datum value(ir::ValueId id) const;
  Status bind_constants(const ir::Graph& graph);
  Status visit(const ir::Node& node);
  Status keep(ir::ValueId value, Datum datum);
  Result<Datum> carried(Datum datum) const;

  const ir::Model& model_;
  const RunOptions& options_;
  Outer outer_;
  Liveness liveness_;
  std::vector<Datum> values_;
  ops::Host host_;
};

Result<Datum> Interpreter::carried(Datum datum) const {
  if (options_.precision == Precision::kAsWritten) return datum;
  return converted(std::move(datum), doubled);
}

Status Interpreter::keep(ir::ValueId value, Datum datum) {
  ASSIGN(values_[value], carried(std::move(datum)));
  return options_.tap ? options_.tap(value, values_[value]) : Status();
}

Status Interpreter::bind_constants(const ir::Graph& graph) {
  for (const ir::ValueId value : graph.constants) {
    if (values_[value].kind != Datum::Kind::kNothing) continue;
    ASSIGN(Tensor tensor, model_.values[value].constant->aligned());
    ASSIGN(values_[value], carried(Datum(std::move(tensor))));
  }
  return {};
}

Datum Interpreter::value(ir::ValueId id) const {
  if (id == ir::kNone) return {};
  const Datum& own = values_[id];
  return own.kind == Datum::Kind::kNothing && outer_ ? outer_(id) : own;
}

Status Interpreter::visit(const ir::Node& node) {
  std::vector<Datum> inputs;
  for (const ir::ValueId input : node.inputs) inputs.push_back(value(input));
  // What fp64 carries has no narrower form to be cast to.
  if (options_.precision == Precision::kDouble && is_cast_of_reals(node, inputs))
    return keep(node.outputs[0], std::move(inputs[0]));
  ASSIGN(std::vector<Datum> made, evaluate(node, std::move(inputs), host_));
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (node.outputs[i] != ir::kNone) TRY(keep(node.outputs[i], std::move(made[i])));
  }
  return {};
}

Result<std::vector<Datum>> Interpreter::run(ir::GraphId id, std::vector<Datum> inputs) {
  const ir::Graph& graph = model_.graphs[id];
  for (std::size_t i = 0; i < graph.inputs.size() && i < inputs.size(); ++i)
    TRY(keep(graph.inputs[i], std::move(inputs[i])));
  TRY(bind_constants(graph));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    TRY(visit(model_.nodes[graph.nodes[i]]));
    for (const ir::ValueId dead : liveness_.dead_after(id, i)) values_[dead] = {};
  }
  std::vector<Datum> out;
  for (const ir::ValueId output : graph.outputs) out.push_back(value(output));
  return out;
}

// What the graph asks of an input, against what it gets.
Status check_input(const ir::Value& wanted, const Datum& given) {
  const bool is_there = given.kind != Datum::Kind::kNothing;
  const auto refuse = [&](std::string found) {
    return fail("E155", {},
                {{"input", to_valid_utf8(wanted.name)},
                 {"expected", to_string(wanted.type)},
                 {"found", std::move(found)}});
  };
  if (!is_there) return wanted.constant ? Status() : refuse(diag::text("ops.nothing"));
  if (!wanted.type.is_tensor() || !given.is_tensor()) return {};
  const Tensor& tensor = given.tensor;
  const ir::Type found =
      ir::Type::tensor(tensor.type(), ir::Shape(tensor.dims().begin(), tensor.dims().end()));
  return unify(wanted.type, found) ? Status() : refuse(to_string(found));
}

}  // namespace

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

Result<std::vector<Datum>> run_subgraph(const ir::Model& model, ir::GraphId graph,
                                        std::vector<Datum> inputs, const Outer& outer,
                                        const RunOptions& options) {
  return Interpreter(model, options, outer).run(graph, std::move(inputs));
}

Result<std::vector<Datum>> run(const ir::Model& model, std::vector<Datum> inputs,
                               const RunOptions& options) {
  ASSIGN(std::vector<Datum> bound, bind_inputs(model, std::move(inputs)));
  return Interpreter(model, options).run(0, std::move(bound));
}

}  // namespace godwit::exec
