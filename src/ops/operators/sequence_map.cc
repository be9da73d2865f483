// Runs a graph for each item of a sequence.
#include "ops/scan.h"
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  ASSIGN(const ir::GraphId body, body_of(n));
  if (!n.subgraph_types) return {};
  std::vector<Known> inputs;
  for (std::size_t i = 0; i < n.inputs(); ++i) {
    const bool is_sequence = n.type(i).kind == Type::Kind::kSequence;
    inputs.push_back({.type = is_sequence ? inner_type(n.type(i)) : n.type(i)});
  }
  ASSIGN(const std::vector<Known> made, n.subgraph_types(body, std::move(inputs)));
  for (std::size_t i = 0; i < n.outputs() && i < made.size(); ++i)
    n.set(i, sequence_of(made[i].type));
  return {};
}

// What the body gets for the item at `place`: that of every sequence, and other inputs as they are.
Result<std::vector<Datum>> inputs_of(const Call& call, std::size_t place) {
  std::vector<Datum> out;
  const std::size_t length = call.datum(0).items.size();
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    const Datum& given = call.datum(i);
    const bool is_sequence = given.kind == Datum::Kind::kSequence;
    if (is_sequence && given.items.size() != length)
      return call.refuse("counts", {{"what", "additional_inputs"},
                                    {"found", std::to_string(given.items.size())},
                                    {"expected", std::to_string(length)}});
    out.push_back(is_sequence ? given.items[place] : given);
  }
  return out;
}

Status evaluate(Call& call) {
  ASSIGN(const ir::GraphId body, body_of(call));
  std::vector<std::vector<Datum>> outputs(call.outputs());
  for (std::size_t place = 0; place < call.datum(0).items.size(); ++place) {
    ASSIGN(std::vector<Datum> inputs, inputs_of(call, place));
    ASSIGN(std::vector<Datum> made, call.run(body, std::move(inputs)));
    if (made.size() != outputs.size())
      return call.refuse("counts", {{"what", "body"},
                                    {"found", std::to_string(made.size())},
                                    {"expected", std::to_string(outputs.size())}});
    for (std::size_t i = 0; i < made.size(); ++i) outputs[i].push_back(std::move(made[i]));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    call.set(i, sequence_of(std::move(outputs[i]), call.output_type(body, i).element));
  return {};
}

}  // namespace

extern const Operator sequence_map = {
    .name = "SequenceMap",
    .doc = "Runs its body for each item of a sequence; further sequences go along item by item.",
    .since = 17,
    .inputs =
        {{.name = "input_sequence", .variable = 'S', .types = kClassic, .form = Form::kSequence},
         {.name = "additional_inputs",
          .variable = 'V',
          .types = kClassic,
          .kind = kMixed,
          .form = Form::kTensor | Form::kSequence}},
    .outputs = {{.name = "out_sequence",
                 .variable = 'S',
                 .types = kClassic,
                 .kind = kMixed,
                 .form = Form::kSequence}},
    .attributes = {{"body", kMustBeThere}},
    .numerics = Numerics::kControl,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
