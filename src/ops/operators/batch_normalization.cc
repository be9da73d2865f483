// Every channel shifted and scaled by statistics that are given, or in training, of the batch.
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/moments.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

// Before opset 14 a node asked for training by naming the outputs that only training has.
bool is_training(const Site& site) {
  if (site.opset() >= 14) return site.flag("training_mode");
  return site.node().outputs.size() > 1 && !site.flag("is_test");
}

Status infer(Inference& n) {
  n.set(0, n.type(0));
  for (std::size_t i = 1; i < n.outputs(); ++i) n.set(i, n.type(i % 2 == 1 ? 3 : 4));
  return {};
}

// How elements belong to channels: [N, channels, inner]. Without `spatial` (opsets 1 to 8) every
// element of an image is a channel of its own.
struct Channels {
  std::size_t batch, count, inner;
  std::size_t each() const { return batch * inner; }
  std::size_t place(std::size_t channel, std::size_t i) const {
    return (i / inner * count + channel) * inner + i % inner;
  }
};
Channels channels(const Call& call, const Sizes& dims) {
  const bool is_spatial = call.opset() >= 9 || call.flag("spatial");
  const std::size_t split = dims.size() < 2 ? dims.size() : is_spatial ? 2 : dims.size();
  return {static_cast<std::size_t>(product(dims, 0, std::min<std::size_t>(1, dims.size()))),
          static_cast<std::size_t>(dims.size() < 2 ? 1 : product(dims, 1, split)),
          static_cast<std::size_t>(product(dims, split, dims.size()))};
}

template <class T>
Status evaluate(Call& call) {
  const Sizes& dims = call.input(0).dims();
  const Channels by = channels(call, dims);
  std::vector<Tensor> parameters;  // scale, bias, mean, variance; their types may be narrower
  for (std::size_t i = 1; i < 5; ++i) {
    ASSIGN(Tensor each, convert(call.input(i), ir::kElement<T>));
    if (each.count() != static_cast<std::int64_t>(by.count)) {
      return expect_sizes(call, i, {static_cast<std::int64_t>(by.count)});
    }
    parameters.push_back(std::move(each));
  }
  const auto parameter = [&](std::size_t i, std::size_t c) {
    return parameters[i].template values<T>()[c];
  };
  const bool trains = is_training(call);
  const std::span<const T> x = call.values<T>(0);
  const auto epsilon = static_cast<T>(call.number("epsilon"));
  const auto momentum = static_cast<T>(call.number("momentum"));
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  std::vector<std::vector<T>> statistics(4);  // running mean, variance; those of the batch
  for (std::size_t c = 0; c < by.count; ++c) {
    const T mean = parameter(2, c), variance = parameter(3, c);
    Moments<T> m{mean, variance};
    if (trains) m = moments<T>(by.each(), [&](std::size_t i) { return x[by.place(c, i)]; });
    statistics[0].push_back(mean * momentum + m.mean * (1 - momentum));
    statistics[1].push_back(variance * momentum + m.variance * (1 - momentum));
    statistics[2].push_back(m.mean);
    statistics[3].push_back(m.variance);
    const T deviation = std::sqrt(m.variance + epsilon);
    for (std::size_t i = 0; i < by.each(); ++i) {
      const std::size_t at = by.place(c, i);
      y[at] = (x[at] - m.mean) / deviation * parameter(0, c) + parameter(1, c);
    }
  }
  for (std::size_t i = 1; trains && i < call.outputs() && i < 5; ++i) {
    const Tensor& like = call.input(i % 2 == 1 ? 3 : 4);
    ASSIGN(Tensor out,
           convert(Tensor::of<T>(like.dims(), std::move(statistics[i - 1])), like.type()));
    call.set(i, std::move(out));
  }
  return {};
}

// Statistics that training hands out, as they were called before it had an attribute.
constexpr Parameter until_13(std::string_view name) {
  return {.name = name, .variable = 'T', .types = kClassicFloats, .kind = kOptional, .until = 13};
}

}  // namespace

extern const Operator batch_normalization = {
    .name = "BatchNormalization",
    .doc = "Shifts and scales every channel by given statistics, or in training by the batch's.",
    .inputs = {{"X", 'T', floats(14)},
               {.name = "scale", .variable = 'T', .types = floats(14), .until = 14},
               {.name = "scale", .variable = 'P', .types = kFloats, .since = 15},
               {.name = "B", .variable = 'T', .types = floats(14), .until = 14},
               {.name = "B", .variable = 'P', .types = kFloats, .since = 15},
               {.name = "mean", .variable = 'T', .types = kClassicFloats, .until = 13},
               {.name = "input_mean", .variable = 'S', .types = kFloats, .since = 14},
               {.name = "var", .variable = 'T', .types = kClassicFloats, .until = 13},
               {.name = "input_var", .variable = 'S', .types = kFloats, .since = 14}},
    .outputs =
        {{"Y", 'T', floats(14)},
         until_13("mean"),
         {.name = "running_mean",
          .variable = 'S',
          .types = kFloats,
          .kind = kOptional,
          .since = 14},
         until_13("var"),
         {.name = "running_var", .variable = 'S', .types = kFloats, .kind = kOptional, .since = 14},
         until_13("saved_mean"),
         until_13("saved_var")},
    .attributes = {{.name = "consumed_inputs", .fallback = kMustBeThere, .until = 5},
                   {"epsilon", 1e-5F},
                   {.name = "is_test", .fallback = 0, .until = 6},
                   {"momentum", 0.9F},
                   {.name = "spatial", .fallback = 1, .until = 8},
                   {.name = "training_mode", .fallback = 0, .since = 14}},
    .numerics = Numerics::kNormalization,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
