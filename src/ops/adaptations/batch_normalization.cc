// Before opset 14 a node asked for training by naming the outputs that only training has.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t) {
  std::size_t outputs = e.node().outputs.size();
  while (outputs > 1 && e.node().outputs[outputs - 1] == ir::kNone) --outputs;
  const bool is_training = outputs > 1 || e.flag("training_mode");
  if (is_training) return e.refuse("training");
  return false;
}

}  // namespace

extern const Adaptation batch_normalization = {
    .op = "BatchNormalization", .breaks = {14}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
