// A sequence with one more item.
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  n.set(0, sequence_of(ir::common(inner_type(n.type(0)), n.type(1))));
  return {};
}

Status evaluate(Call& call) {
  std::vector<Datum> items = call.datum(0).items;
  std::size_t at = items.size();
  if (call.has_input(2)) {
    // Behind the last item is a place too, but a negative position counts from the last one.
    ASSIGN(const double position, call.scalar(2));
    if (position != static_cast<double>(items.size())) {
      ASSIGN(at, item_place(call, 2, items.size()));
    }
  }
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), call.datum(1));
  call.set(0, sequence_of(std::move(items), call.input(1).type()));
  return {};
}

}  // namespace

extern const Operator sequence_insert = {
    .name = "SequenceInsert",
    .doc = "The sequence with a tensor put before the item at a position, or at the end.",
    .since = 11,
    .inputs = {{.name = "input_sequence", .types = kClassic, .form = Form::kSequence},
               {"tensor", 'T', kClassic},
               {"position", 'I', kIndices, kOptional}},
    .outputs = {{.name = "output_sequence", .types = kClassic, .form = Form::kSequence}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
