// The last axes scaled to root mean square 1.
#include <cmath>

#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

// The output has the type of the scale.
Status infer(Inference& n) {
  n.set(0, n.element(1), n.shape(0) ? std::optional(*n.shape(0)) : std::nullopt);
  return {};
}

template <class T>
Status evaluate(Call& call) {
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
  TRY(expect_broadcasts(call, 1, 0));
  ASSIGN(const Tensor input, convert(call.input(0), ir::kElement<T>));
  const std::span<const T> x = input.values<T>(), scale = call.values<T>(1);
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  const auto length = static_cast<std::size_t>(product(dims, axis, dims.size()));
  std::vector<T> roots;
  for (std::size_t first = 0; first < x.size(); first += length) {
    T sum = 0;
    for (std::size_t i = first; i < first + length; ++i) sum += x[i] * x[i];
    roots.push_back(
        std::sqrt(sum / static_cast<T>(length) + static_cast<T>(call.number("epsilon"))));
  }
  Odometer at(dims, {broadcast_strides(call.input(1).dims(), dims)});
  for (std::size_t i = 0; !at.done(); at.next(), ++i)
    y[i] = x[i] / roots[i / length] * scale[at.offset(0)];
  return {};
}

Status expand(Expansion& e) {
  ASSIGN(const Term input, term(e, 0));
  ASSIGN(const Term scale, term(e, 1));
  ASSIGN(const Ints axes, axes_from(e, e.integer("axis")));
  const Term x = stashed(e, input);
  const Term square = (x * x).mean(axes) + static_cast<double>(e.number("epsilon"));
  e.set_output(0, (x / square.then("Sqrt")).as(scale.type()) * scale);
  return {};
}

}  // namespace

extern const Operator rms_normalization = {
    .name = "RMSNormalization",
    .doc = "Scales the last axes to root mean square 1.",
    .since = 23,
    .inputs = {{"X", 'T', kFloats}, {"scale", 'V', kFloats}},
    .outputs = {{"Y", 'V', kFloats}},
    .attributes = {{"axis", -1}, {"epsilon", 1e-5F}, {"stash_type", 1}},
    .numerics = Numerics::kNormalization,
    .infer = infer,
    .evaluate = by_type<1>(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand,
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
