// A sequence without one of its items.
#include "ops/expect.h"
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  std::vector<Datum> items = call.datum(0).items;
  if (items.empty()) return refuse_empty(call, {0});
  std::size_t at = items.size() - 1;
  if (call.has_input(1)) {
    ASSIGN(at, item_place(call, 1, items.size()));
  }
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
  call.set(0, sequence_of(std::move(items), element_of(call.datum(0))));
  return {};
}

}  // namespace

extern const Operator sequence_erase = {
    .name = "SequenceErase",
    .doc = "The sequence without the item at a position; without the last one unless one is given.",
    .since = 11,
    .inputs = {{.name = "input_sequence", .types = kClassic, .form = Form::kSequence},
               {"position", 'I', kIndices, kOptional}},
    .outputs = {{.name = "output_sequence", .types = kClassic, .form = Form::kSequence}},
    .storage = Storage::kAsStored,
    .infer = same_as_first,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
