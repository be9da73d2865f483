// Numbers and lists as attributes of their own came with opset 12.
#include "ops/convert.h"
#include "ops/expand.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target >= 12 || e.has("value") || e.has("sparse_value")) return false;
  ir::Tensor held;
  if (e.has("value_int")) held = ir::Tensor::scalar(e.integer("value_int"));
  if (e.has("value_float")) held = ir::Tensor::scalar(e.number("value_float"));
  if (e.has("value_string"))
    held = ir::Tensor::of<std::string>({}, {std::string(e.text("value_string"))});
  if (e.has("value_ints")) held = ir::Tensor::integers(e.integers("value_ints"));
  if (e.has("value_floats")) {
    Floats list = e.numbers("value_floats");
    held = ir::Tensor::of<float>({static_cast<std::int64_t>(list.size())}, std::move(list));
  }
  if (e.has("value_strings")) {
    std::vector<std::string> list = e.texts("value_strings");
    held = ir::Tensor::of<std::string>({static_cast<std::int64_t>(list.size())}, std::move(list));
  }
  e.edit().attributes = {{"value", std::make_shared<const ir::Tensor>(std::move(held))}};
  return false;
}

}  // namespace

extern const Adaptation constant = {.op = "Constant", .breaks = {12}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
