// A sequence of the given tensors.
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  Type item = n.type(0);
  for (std::size_t i = 1; i < n.inputs(); ++i) item = ir::common(item, n.type(i));
  n.set(0, sequence_of(std::move(item)));
  return {};
}

Status evaluate(Call& call) {
  std::vector<Datum> items;
  for (std::size_t i = 0; i < call.inputs(); ++i) items.push_back(call.datum(i));
  call.set(0, sequence_of(std::move(items), call.input(0).type()));
  return {};
}

}  // namespace

extern const Operator sequence_construct = {
    .name = "SequenceConstruct",
    .doc = "A sequence of the given tensors.",
    .since = 11,
    .inputs = {{"inputs", 'T', kClassic, kVariadic}},
    .outputs = {{.name = "output_sequence", .types = kClassic, .form = Form::kSequence}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
