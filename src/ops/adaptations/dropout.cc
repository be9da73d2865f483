// The mask was a number before opset 10, and until 12 nothing said what it is without training: it
// is written out. Before opset 7 a node could ask for training.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

// Opsets 7 to 11 know no training; since 12 an input asks for it, which may not be known.
bool may_train(const Expansion& e) {
  if (e.opset() < 7) return !e.flag("is_test");
  if (!e.has_input(2)) return false;
  const ir::Tensor* const mode = e.Inference::constant(2);
  return !mode || ir::to_doubles(*mode) != std::vector{0.0};
}

// Everything is kept.
Result<bool> write_out(Expansion& e) {
  ASSIGN(const ElementType type, e.known_element(0));
  ir::Tensor one = ir::Tensor::of<float>({1}, {1});
  ASSIGN(one, ir::convert(one, e.opset() < 10 ? type : ElementType::kBool));
  const ValueId mask = e.add("ConstantOfShape", {e.add("Shape", {e.input(0)})},
                             {{"value", std::make_shared<const ir::Tensor>(std::move(one))}});
  e.set_output(0, e.add("Identity", {e.input(0)}));
  e.set_output(1, mask);
  return true;
}

Result<bool> adapt(Expansion& e, std::int64_t) {
  if (may_train(e)) return e.opset() < 7 ? e.refuse("training") : Result<bool>(false);
  if (e.is_read(1)) return write_out(e);
  e.edit().outputs.resize(1);
  e.edit().remove_attribute("is_test");
  return false;
}

}  // namespace

extern const Adaptation dropout = {.op = "Dropout", .breaks = {7, 10, 12}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
