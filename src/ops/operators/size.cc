// The number of elements of a tensor.
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator size = {
    .name = "Size",
    .doc = "The number of elements.",
    .inputs = {{.name = "data", .types = any_tensor(13, 19)}},
    .outputs = {{"size", 'S', kInt64}},
    .revisions = {13, 19, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      n.set(0, ElementType::kInt64, Shape{});
      if (n.shape(0)) n.set_content(0, {ir::count(*n.shape(0))});
      return {};
    },
    .evaluate = [](Call& call) -> Status {
      call.set(0, Tensor::scalar(call.input(0).count()));
      return {};
    },
};

}  // namespace godwit::ops::operators
