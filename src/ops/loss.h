// The weighted negative log-likelihood of classes: what two losses share.
#pragma once

#include <string>
#include <vector>

#include "ops/arithmetic.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops {

/// Shape rule of output 0: that of the classes (input 1) with reduction none, else a scalar.
Status infer_loss(Inference& n);

/// The class of each sample and what it weighs; 0 for those to be ignored.
struct Samples {
  std::vector<std::size_t> classes;
  std::vector<double> weights;
};
/// Inputs: scores [N, C, D1 …], classes [N, D1 …], weights [C] or nothing. Errors: E151 a class or
/// sizes that do not fit.
Result<Samples> read_samples(const Call& call);

/// Output 0 in other operators, from logarithms of probabilities.
Status expand_loss(Expansion& e, const Term& logs);

/// Output 0 from logarithms of probabilities, of the sizes of input 0.
template <class T>
Status likelihood_loss(Call& call, std::span<const T> logs) {
  const std::string_view reduction = call.text("reduction");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return refuse_attribute(call, "reduction");
  ASSIGN(const Samples samples, read_samples(call));
  const Sizes& dims = call.input(0).dims();
  const auto volume = static_cast<std::size_t>(product(dims, 2, dims.size()));
  const auto classes = static_cast<std::size_t>(dims[1]);
  std::vector<double> losses(samples.classes.size(), 0);
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (samples.weights[i] != 0) {
      const std::size_t row = i / volume * classes + samples.classes[i];
      losses[i] = -static_cast<double>(logs[row * volume + i % volume]) * samples.weights[i];
    }
    sum += losses[i];
    weight += samples.weights[i];
  }
  if (reduction == "mean") sum /= weight;
  ASSIGN(const std::span<T> y,
         call.make<T>(0, reduction == "none" ? call.input(1).dims() : Sizes()));
  if (reduction != "none") losses = {sum};
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<T>(losses[i]);
  return {};
}

}  // namespace godwit::ops
