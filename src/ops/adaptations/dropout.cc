// The mask was a number before opset 10; before opset 7 a node could ask for training.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t) {
  const bool is_training = e.opset() < 7 && !e.flag("is_test");
  if (e.is_read(1) || is_training) return e.refuse("training");
  e.edit().outputs.resize(1);
  e.edit().remove_attribute("is_test");
  return false;
}

}  // namespace

extern const Adaptation dropout = {.op = "Dropout", .breaks = {7, 10}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
