// Groups of tensors of optimizers.
#include "ops/training.h"

namespace godwit::ops::training {

Result<std::size_t> tensor_count(const Site& site, std::size_t per_tensor) {
  const std::size_t inputs = site.node().inputs.size();
  if (inputs < 2 + per_tensor || (inputs - 2) % per_tensor != 0)
    return site.refuse("inputs", {{"found", std::to_string(inputs)}});
  return (inputs - 2) / per_tensor;
}

Status updated_types(Inference& n, std::size_t per_tensor) {
  ASSIGN(const std::size_t count, tensor_count(n, per_tensor));
  for (std::size_t i = 0; i < n.outputs(); ++i) n.set(i, n.type(2 + i % count));
  return {};
}

}  // namespace godwit::ops::training
