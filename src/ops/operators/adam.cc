// One step of Adam: momentum over a running mean of squared gradients.
#include <cmath>

#include "ops/training.h"

namespace godwit::ops::operators {
namespace {

constexpr std::size_t kPerTensor = 4;  // X, G, V, H

// The rate corrected for means that started from zero.
double adjusted_rate(double rate, double step, double alpha, double beta) {
  if (!(step > 0)) return rate;
  return rate * std::sqrt(1 - std::pow(beta, step)) / (1 - std::pow(alpha, step));
}

Status evaluate(Call& call) {
  ASSIGN(const std::size_t count, training::tensor_count(call, kPerTensor));
  ASSIGN(const double rate, call.scalar(0));
  ASSIGN(const double step, call.scalar(1));
  const double adjusted = adjusted_rate(rate, step, static_cast<double>(call.number("alpha")),
                                        static_cast<double>(call.number("beta")));
  return training::for_each_tensor(call, count, [&]<class T>(std::size_t i) -> Status {
    ASSIGN(const std::span<const T> x, training::entry<T>(call, count, 0, i));
    ASSIGN(const std::span<const T> g, training::entry<T>(call, count, 1, i));
    ASSIGN(const std::span<const T> v, training::entry<T>(call, count, 2, i));
    ASSIGN(const std::span<const T> h, training::entry<T>(call, count, 3, i));
    const auto alpha = static_cast<T>(call.number("alpha"));
    const auto beta = static_cast<T>(call.number("beta"));
    const auto norm = static_cast<T>(call.number("norm_coefficient"));
    const auto norm_post = static_cast<T>(call.number("norm_coefficient_post"));
    const auto epsilon = static_cast<T>(call.number("epsilon"));
    const Sizes& dims = call.input(2 + i).dims();
    ASSIGN(const std::span<T> x_new, call.make<T>(i, dims));
    ASSIGN(const std::span<T> v_new, call.make<T>(count + i, dims));
    ASSIGN(const std::span<T> h_new, call.make<T>(2 * count + i, dims));
    for (std::size_t k = 0; k < x.size(); ++k) {
      const T regularized = norm * x[k] + g[k];
      v_new[k] = alpha * v[k] + (1 - alpha) * regularized;
      h_new[k] = beta * h[k] + (1 - beta) * regularized * regularized;
      const T moved = x[k] - static_cast<T>(adjusted) * v_new[k] / (std::sqrt(h_new[k]) + epsilon);
      x_new[k] = (1 - norm_post) * moved;
    }
    return {};
  });
}

}  // namespace

extern const Operator adam = {
    .name = "Adam",
    .domain = training::kDomain,
    .doc = "New tensors X, means V and H from X, gradients G, V and H.",
    .inputs = {{"R", 'R', kReals}, {"T", 'I', kInt64}, {"inputs", 'T', kReals, kMixed}},
    .outputs = {{"outputs", 'T', kReals, kMixed}},
    .attributes = {{"alpha", 0.9f},
                   {"beta", 0.999f},
                   {"epsilon", 1e-6f},
                   {"norm_coefficient", 0.0f},
                   {"norm_coefficient_post", 0.0f}},
    .numerics = Numerics::kElementwise,
    .infer = [](Inference& n) { return training::updated_types(n, kPerTensor); },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
