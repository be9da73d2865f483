// Moves and scales features.
#include "ops/expect.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  const Floats offset = call.numbers("offset"), scale = call.numbers("scale");
  const Sizes& dims = call.input(0).dims();
  const std::size_t width = dims.empty() ? 1 : static_cast<std::size_t>(dims.back());
  for (const Floats* list : {&offset, &scale}) {
    if (list->size() != 1 && list->size() != width)
      return refuse_shapes(call, dims, {static_cast<std::int64_t>(list->size())});
  }
  const std::vector<double> x = to_doubles(call.input(0)).value_or(std::vector<double>());
  ASSIGN(const std::span<float> y, call.make<float>(0, dims));
  const auto of_feature = [width](const Floats& list, std::size_t i) {
    return static_cast<double>(list[list.size() == 1 ? 0 : i % width]);
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = static_cast<float>((x[i] - of_feature(offset, i)) * of_feature(scale, i));
  return {};
}

}  // namespace

extern const Operator scaler = {
    .name = "Scaler",
    .domain = ml::kDomain,
    .doc = "(x - offset) * scale, one pair for all features or one for each.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'U', kFloat}},
    .attributes = {{"offset"}, {"scale"}},
    .numerics = Numerics::kElementwise,
    .infer = [](Inference& n) -> Status {
      Type type = n.type(0);
      type.element = ElementType::kFloat;
      n.set(0, std::move(type));
      return {};
    },
    .evaluate = evaluate,
    .flop = flop_per_input<2>,
};

}  // namespace godwit::ops::operators
