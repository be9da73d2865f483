// Before opset 14 a node asked for training by naming the outputs that only training has; before
// opset 9 every element of an image could have statistics of its own.
#include "ops/convert.h"
#include "ops/term.h"

namespace godwit::ops::adaptations {
namespace {

// The shape of the statistics is that of one image, and so they broadcast.
Status write_out(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  const auto input = [&](std::size_t i) { return Term(e, e.input(i), x.type()); };
  const Term deviation = (input(4) + static_cast<double>(e.number("epsilon"))).then("Sqrt");
  e.set_output(0, (x - input(3)) / deviation * input(1) + input(2));
  return {};
}

Result<bool> adapt(Expansion& e, std::int64_t target) {
  std::size_t outputs = e.node().outputs.size();
  while (outputs > 1 && e.node().outputs[outputs - 1] == ir::kNone) --outputs;
  const bool is_training = outputs > 1 || e.flag("training_mode");
  const bool is_crossing = (e.opset() < 14) != (target < 14);
  if (is_training && is_crossing) return e.refuse("training");
  if (e.opset() >= 9 || target < 9 || e.flag("spatial")) return false;
  TRY(write_out(e));
  return true;
}

}  // namespace

extern const Adaptation batch_normalization = {
    .op = "BatchNormalization", .breaks = {9, 14}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
