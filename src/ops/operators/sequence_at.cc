// One item of a sequence.
#include "ops/sequence.h"

namespace godwit::ops::operators {

extern const Operator sequence_at = {
    .name = "SequenceAt",
    .doc = "The item of a sequence at a position, counted from the end when negative.",
    .since = 11,
    .inputs = {{.name = "input_sequence", .types = kClassic, .form = Form::kSequence},
               {"position", 'I', kIndices}},
    .outputs = {{"tensor", 'T', kClassic}},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      n.set(0, inner_type(n.type(0)));
      return {};
    },
    .evaluate = [](Call& call) -> Status {
      const std::vector<Datum>& items = call.datum(0).items;
      ASSIGN(const std::size_t at, item_place(call, 1, items.size()));
      call.set(0, items[at]);
      return {};
    },
};

}  // namespace godwit::ops::operators
