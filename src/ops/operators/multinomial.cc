// Draws classes by their unnormalised log-probabilities.
#include <algorithm>
#include <cmath>

#include "ops/expect.h"
#include "ops/random.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0) && n.shape(0)->size() == 2)
    shape = Shape{n.shape(0)->front(), n.integer("sample_size")};
  n.set(0, static_cast<ElementType>(n.integer("dtype")), std::move(shape));
  return {};
}

// Running sums of exp(x - max).
std::vector<double> cumulative(std::span<const double> logs) {
  const double top = *std::max_element(logs.begin(), logs.end());
  std::vector<double> out;
  double sum = 0;
  for (const double x : logs) out.push_back(sum += std::exp(x - top));
  return out;
}

Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 2));
  const Sizes& dims = call.input(0).dims();
  const std::int64_t samples = call.integer("sample_size");
  if (samples < 0) return refuse_attribute(call, "sample_size");
  if (dims[1] == 0) return refuse_empty(call, dims);
  const std::vector<double> logs = *to_doubles(call.input(0));
  const auto classes = static_cast<std::size_t>(dims[1]);
  std::vector<double> sums;
  return fill_random(call, ElementType::kInt32, {dims[0], samples},
                     [&](Random& random, std::size_t i) {
                       const std::size_t row = i / static_cast<std::size_t>(samples);
                       if (i % static_cast<std::size_t>(samples) == 0)
                         sums = cumulative(std::span(logs).subspan(row * classes, classes));
                       const double at = random.uniform() * sums.back();
                       const auto found = std::upper_bound(sums.begin(), sums.end() - 1, at);
                       return static_cast<double>(found - sums.begin());
                     });
}

}  // namespace

extern const Operator multinomial = {
    .name = "Multinomial",
    .doc = "Classes drawn with probabilities softmax(input), so many for each row.",
    .since = 7,
    .inputs = {{"input", 'P', floats(22)}},
    .outputs = {{"output", 'T', kIndices}},
    .attributes = {{"dtype", 6}, {"sample_size", 1}, {"seed"}},
    .revisions = {22},
    .numerics = Numerics::kRandom,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
