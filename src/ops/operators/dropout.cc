// Drops elements at random in training; the identity otherwise.
#include "ops/random.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  n.set(0, n.type(0));
  const bool has_truth = n.opset() >= 10;
  n.set(1, has_truth ? ElementType::kBool : n.element(0), n.type(0).shape);
  return {};
}

// Opsets 7 to 11 know no training.
Result<bool> trains(const Call& call) {
  if (call.opset() < 7) return !call.flag("is_test");
  if (!call.has_input(2)) return false;
  ASSIGN(const double mode, call.scalar(2));
  return mode != 0;
}

Result<double> read_ratio(const Call& call) {
  if (call.opset() < 12) return call.number("ratio");
  return call.has_input(1) ? call.scalar(1) : Result<double>(0.5);
}

template <class T>
Status write_mask(Call& call, const std::vector<bool>& keeps) {
  ASSIGN(const std::span<T> mask, call.make<T>(1, call.input(0).dims()));
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<T>(keeps[i]);
  return {};
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  ASSIGN(const bool is_training, trains(call));
  ASSIGN(const double ratio, read_ratio(call));
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, call.input(0).dims()));
  std::vector<bool> keeps(x.size(), true);
  if (is_training && ratio > 0) {
    Random random = Random::of(call);
    for (std::size_t i = 0; i < keeps.size(); ++i) keeps[i] = random.uniform() >= ratio;
  }
  const double scale = is_training ? 1 / (1 - ratio) : 1;
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = keeps[i] ? static_cast<T>(static_cast<double>(x[i]) * scale) : T(0);
  if (!call.wants_output(1)) return {};
  return call.opset() < 10 ? write_mask<T>(call, keeps) : write_mask<bool>(call, keeps);
};

}  // namespace

extern const Operator dropout = {
    .name = "Dropout",
    .doc =
        "Zeros elements with a probability and scales the others, in training; else the identity.",
    .inputs = {{"data", 'T', floats(13) | since(22, kFloat8)},
               {.name = "ratio",
                .variable = 'R',
                .types = floats(22) | since(22, kFloat8),
                .kind = kOptional,
                .since = 12},
               {.name = "training_mode",
                .variable = 'M',
                .types = kBool,
                .kind = kOptional,
                .since = 12}},
    .outputs = {{"output", 'T', floats(13) | since(22, kFloat8)},
                {.name = "mask", .types = kClassicFloats, .kind = kOptional, .until = 9},
                {.name = "mask", .variable = 'M', .types = kBool, .kind = kOptional, .since = 10}},
    .attributes = {{.name = "ratio", .fallback = 0.5f, .until = 11},
                   {.name = "is_test", .fallback = 0, .until = 6},
                   {.name = "seed", .since = 12},
                   {.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 7, 10, 12, 13, 22},
    .numerics = Numerics::kRandom,
    .infer = infer,
    .evaluate = by_type(Reals(), evaluate),
};

}  // namespace godwit::ops::operators
