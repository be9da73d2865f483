// The number of items of a sequence.
#include "ops/sequence.h"

namespace godwit::ops::operators {

extern const Operator sequence_length = {
    .name = "SequenceLength",
    .doc = "The number of items.",
    .since = 11,
    .inputs = {{.name = "input_sequence", .types = kClassic, .form = Form::kSequence}},
    .outputs = {{"length", 'I', kInt64}},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      n.set(0, ElementType::kInt64, Shape{});
      return {};
    },
    .evaluate = [](Call& call) -> Status {
      call.set(0, Tensor::scalar(static_cast<std::int64_t>(call.datum(0).items.size())));
      return {};
    },
};

}  // namespace godwit::ops::operators
