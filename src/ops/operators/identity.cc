// The same value under another name.
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

constexpr FormHistory kForms =
    Form::kTensor | since(14, Form::kSequence) | since(16, Form::kOptional);

extern const Operator identity = {
    .name = "Identity",
    .doc = "The same value: a tensor, sequence or optional.",
    .inputs = {{.name = "input", .variable = 'V', .types = any_tensor(13, 19), .form = kForms}},
    .outputs = {{.name = "output", .variable = 'V', .types = any_tensor(13, 19), .form = kForms}},
    .revisions = {13, 14, 16, 19, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      n.set(0, n.type(0));
      if (std::optional<Content> content = n.content(0)) n.set_content(0, *std::move(content));
      return {};
    },
    .evaluate = [](Call& call) -> Status {
      call.set(0, call.datum(0));
      return {};
    },
};

}  // namespace godwit::ops::operators
