// Groups of channels of every image shifted and scaled to mean 0 and variance 1.
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/moments.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank_from(call, 0, 2));
  const Sizes& dims = call.input(0).dims();
  const std::int64_t groups = call.integer("num_groups");
  if (groups < 1 || dims[1] % groups) return refuse_attribute(call, "num_groups");
  // Opset 18 scaled whole groups; since 21 each channel has a scale of its own.
  const std::int64_t scales = call.opset() < 21 ? groups : dims[1];
  TRY(expect_sizes(call, 1, {scales}));
  TRY(expect_sizes(call, 2, {scales}));

  const std::span<const T> x = call.values<T>(0), scale = call.values<T>(1),
                           bias = call.values<T>(2);
  const auto epsilon = static_cast<T>(call.number("epsilon"));
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  if (x.empty()) return {};
  const auto per_image = static_cast<std::size_t>(product(dims, 1, dims.size()));
  const std::size_t per_group = per_image / static_cast<std::size_t>(groups);
  const std::size_t per_scale = per_image / scale.size();
  for (std::size_t first = 0; first < x.size(); first += per_group) {
    const std::span<const T> group = x.subspan(first, per_group);
    const Moments<T> m = moments<T>(per_group, [&](std::size_t i) { return group[i]; });
    const T deviation = std::sqrt(m.variance + epsilon);
    for (std::size_t i = 0; i < per_group; ++i) {
      const std::size_t s = (first + i) % per_image / per_scale;
      y[first + i] = (group[i] - m.mean) / deviation * scale[s] + bias[s];
    }
  }
  return {};
}

// Opset 18 scales whole groups, opset 21 and newer every channel.
Status expand(Expansion& e) {
  ASSIGN(const Term input, term(e, 0));
  const std::int64_t groups = e.integer("num_groups");
  const Term x = stashed(e, input).reshaped(e.indices({0, groups, -1}));
  const Term y = normalised(x, {2}, e.number("epsilon")).y.as(input.type());
  const ValueId count = e.opset() < 21 ? e.indices({groups}) : e.size(e.input(0), 1);
  const Term rows = y.reshaped(e.join({e.indices({0}), count, e.indices({-1})}));
  const ValueId column = e.indices({-1, 1});
  const ValueId scale = e.add("Reshape", {e.input(1), column});
  const ValueId bias = e.add("Reshape", {e.input(2), column});
  const Term scaled = rows.then("Mul", {scale}).then("Add", {bias});
  e.set_output(0, scaled.reshaped(e.add("Shape", {e.input(0)})));
  return {};
}

}  // namespace

extern const Operator group_normalization = {
    .name = "GroupNormalization",
    .doc = "Shifts and scales groups of channels of every image to mean 0 and variance 1.",
    .since = 18,
    .inputs = {{"X", 'T', kFloats}, {"scale", 'T', kFloats}, {"bias", 'T', kFloats}},
    .outputs = {{"Y", 'T', kFloats}},
    .attributes = {{"epsilon", 1e-5F},
                   {"num_groups", kMustBeThere},
                   {.name = "stash_type", .fallback = 1, .since = 21}},
    .numerics = Numerics::kNormalization,
    .infer = same_as_first,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand,
    .flop = flop_per_output<6>,
};

}  // namespace godwit::ops::operators
