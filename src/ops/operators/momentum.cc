// One step of gradient descent with momentum, standard or after Nesterov.
#include "ops/expect.h"
#include "ops/training.h"

namespace godwit::ops::operators {
namespace {

constexpr std::size_t kPerTensor = 3;  // X, G, V

Status evaluate(Call& call) {
  ASSIGN(const std::size_t count, training::tensor_count(call, kPerTensor));
  ASSIGN(const double rate, call.scalar(0));
  ASSIGN(const double step, call.scalar(1));
  const std::string_view mode = call.text("mode");
  if (mode != "standard" && mode != "nesterov") return refuse_attribute(call, "mode");
  return training::for_each_tensor(call, count, [&]<class T>(std::size_t i) -> Status {
    ASSIGN(const std::span<const T> x, training::entry<T>(call, count, 0, i));
    ASSIGN(const std::span<const T> g, training::entry<T>(call, count, 1, i));
    ASSIGN(const std::span<const T> v, training::entry<T>(call, count, 2, i));
    const auto alpha = static_cast<T>(call.number("alpha"));
    const T beta = step > 0 ? static_cast<T>(call.number("beta")) : T(1);
    const auto norm = static_cast<T>(call.number("norm_coefficient"));
    ASSIGN(const std::span<T> x_new, call.make<T>(i, call.input(2 + i).dims()));
    ASSIGN(const std::span<T> v_new, call.make<T>(count + i, call.input(2 + i).dims()));
    for (std::size_t k = 0; k < x.size(); ++k) {
      const T regularized = norm * x[k] + g[k];
      v_new[k] = alpha * v[k] + beta * regularized;
      const T direction = mode == "nesterov" ? regularized + alpha * v_new[k] : v_new[k];
      x_new[k] = x[k] - static_cast<T>(rate) * direction;
    }
    return {};
  });
}

}  // namespace

extern const Operator momentum = {
    .name = "Momentum",
    .domain = training::kDomain,
    .doc = "New tensors X and momenta V from X, gradients G and V.",
    .inputs = {{"R", 'R', kReals}, {"T", 'I', kInt64}, {"inputs", 'T', kReals, kMixed}},
    .outputs = {{"outputs", 'T', kReals, kMixed}},
    .attributes = {{"alpha", kMustBeThere},
                   {"beta", kMustBeThere},
                   {"mode", kMustBeThere},
                   {"norm_coefficient", kMustBeThere}},
    .numerics = Numerics::kElementwise,
    .infer = [](Inference& n) { return training::updated_types(n, kPerTensor); },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
