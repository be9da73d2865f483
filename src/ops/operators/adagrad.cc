// One step of Adagrad: each coordinate by its own rate, after all gradients so far.
#include <cmath>

#include "ops/training.h"

namespace godwit::ops::operators {
namespace {

constexpr std::size_t kPerTensor = 3;  // X, G, H

Status evaluate(Call& call) {
  ASSIGN(const std::size_t count, training::tensor_count(call, kPerTensor));
  ASSIGN(const double rate, call.scalar(0));
  ASSIGN(const double step, call.scalar(1));
  const double r = rate / (1 + step * static_cast<double>(call.number("decay_factor")));
  return training::for_each_tensor(call, count, [&]<class T>(std::size_t i) -> Status {
    ASSIGN(const std::span<const T> x, training::entry<T>(call, count, 0, i));
    ASSIGN(const std::span<const T> g, training::entry<T>(call, count, 1, i));
    ASSIGN(const std::span<const T> h, training::entry<T>(call, count, 2, i));
    const auto norm = static_cast<T>(call.number("norm_coefficient"));
    const auto epsilon = static_cast<T>(call.number("epsilon"));
    ASSIGN(const std::span<T> x_new, call.make<T>(i, call.input(2 + i).dims()));
    ASSIGN(const std::span<T> h_new, call.make<T>(count + i, call.input(2 + i).dims()));
    for (std::size_t k = 0; k < x.size(); ++k) {
      const T regularized = norm * x[k] + g[k];
      h_new[k] = h[k] + regularized * regularized;
      x_new[k] = x[k] - static_cast<T>(r) * regularized / (std::sqrt(h_new[k]) + epsilon);
    }
    return {};
  });
}

}  // namespace

extern const Operator adagrad = {
    .name = "Adagrad",
    .domain = training::kDomain,
    .doc = "New tensors X and accumulated squared gradients H from X, gradients G and H.",
    .inputs = {{"R", 'R', kReals}, {"T", 'I', kInt64}, {"inputs", 'T', kReals, kMixed}},
    .outputs = {{"outputs", 'T', kReals, kMixed}},
    .attributes = {{"decay_factor", 0.0f}, {"epsilon", 1e-6f}, {"norm_coefficient", 0.0f}},
    .numerics = Numerics::kElementwise,
    .infer = [](Inference& n) { return training::updated_types(n, kPerTensor); },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
