// The last axes shifted and scaled to mean 0 and variance 1.
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/moments.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

ElementType stash_type(const Site& site) {
  return static_cast<ElementType>(site.integer("stash_type"));
}

// The statistics keep the axes before `axis`; the others have size 1.
Status infer(Inference& n) {
  n.set(0, n.type(0));
  std::optional<Shape> kept;
  if (n.shape(0)) {
    kept = *n.shape(0);
    ASSIGN(const std::size_t axis, n.axis("axis", kept->size()));
    std::fill(kept->begin() + static_cast<std::ptrdiff_t>(axis), kept->end(), Dim(1));
  }
  n.set(1, stash_type(n), kept);
  n.set(2, stash_type(n), std::move(kept));
  return {};
}

Status keep(Call& call, std::size_t output, Tensor statistics) {
  ASSIGN(Tensor stashed, convert(statistics, stash_type(call)));
  call.set(output, std::move(stashed));
  return {};
}

// Computed in the type of the input, once small floats are widened; a double is not cut to the
// stash type, which would only lose bits.
template <class T>
Status evaluate(Call& call) {
  const ElementType stash = stash_type(call);
  if (stash != ElementType::kFloat && stash != ElementType::kBfloat16)
    return refuse_attribute(call, "stash_type");
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) TRY(expect_broadcasts(call, i, 0));

  const std::span<const T> x = call.values<T>(0), scale = call.values<T>(1);
  const std::span<const T> bias = call.has_input(2) ? call.values<T>(2) : std::span<const T>();
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  const auto length = static_cast<std::size_t>(product(dims, axis, dims.size()));
  std::vector<T> means, inverses;
  const auto rows = static_cast<std::size_t>(product(dims, 0, axis));
  for (std::size_t row = 0; row < rows; ++row) {
    const Moments<T> m = moments<T>(length, [&](std::size_t i) { return x[row * length + i]; });
    means.push_back(m.mean);
    inverses.push_back(1 / std::sqrt(m.variance + static_cast<T>(call.number("epsilon"))));
  }
  Odometer at(dims, {broadcast_strides(call.input(1).dims(), dims),
                     broadcast_strides(call.input(2).dims(), dims)});
  for (std::size_t i = 0; !at.done(); at.next(), ++i) {
    const std::size_t row = i / length;
    y[i] = (x[i] - means[row]) * inverses[row] * scale[at.offset(0)];
    if (!bias.empty()) y[i] += bias[at.offset(1)];
  }
  Sizes kept = dims;
  std::fill(kept.begin() + static_cast<std::ptrdiff_t>(axis), kept.end(), 1);
  TRY(keep(call, 1, Tensor::of<T>(kept, std::move(means))));
  return keep(call, 2, Tensor::of<T>(kept, std::move(inverses)));
}

Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  ASSIGN(const Ints axes, axes_from(e, e.integer("axis")));
  const Normalised n = normalised(stashed(e, x), axes, e.number("epsilon"));
  const Term scaled = n.y.as(x.type()).then("Mul", {e.input(1)});
  e.set_output(0, e.has_input(2) ? scaled.then("Add", {e.input(2)}) : scaled);
  e.set_output(1, n.mean.as(stash_type(e)));
  e.set_output(2, n.inverse.as(stash_type(e)));
  return {};
}

}  // namespace

extern const Operator layer_normalization = {
    .name = "LayerNormalization",
    .doc = "Shifts and scales the last axes to mean 0 and variance 1.",
    .since = 17,
    .inputs = {{"X", 'T', kFloats}, {"Scale", 'T', kFloats}, {"B", 'T', kFloats, kOptional}},
    .outputs = {{"Y", 'T', kFloats},
                {"Mean", 'U', kFloat | kBfloat16, kOptional},
                {"InvStdDev", 'U', kFloat | kBfloat16, kOptional}},
    .attributes = {{"axis", -1}, {"epsilon", 1e-5F}, {"stash_type", 1}},
    .numerics = Numerics::kNormalization,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand,
    .flop = flop_per_output<7>,
};

}  // namespace godwit::ops::operators
