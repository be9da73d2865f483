// Depthwise convolution over time that looks back only and carries the last elements along.
#include <cmath>
#include <limits>

#include "base/text.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {
namespace {

// The state holds the kernel's length less one.
Status infer(Inference& n) {
  n.set(0, n.type(0));
  std::optional<Shape> state;
  if (n.shape(0) && n.shape(0)->size() == 3) {
    const bool is_known = n.shape(1) && n.shape(1)->size() == 3;
    state = *n.shape(0);
    state->back() = is_known ? n.shape(1)->back() - Dim(1) : Dim::unknown();
  }
  n.set(1, n.element(0), std::move(state));
  return {};
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 3));
  TRY(expect_rank(call, 1, 3));
  const Sizes& dims = call.input(0).dims();
  const std::int64_t length = dims[2], kernel = call.input(1).dims()[2];
  TRY(expect_sizes(call, 1, {dims[1], 1, std::max<std::int64_t>(1, kernel)}));
  if (call.has_input(2)) TRY(expect_sizes(call, 2, {dims[1]}));
  const Sizes state = {dims[0], dims[1], kernel - 1};
  if (call.has_input(3)) TRY(expect_sizes(call, 3, state));
  const std::string_view activation = call.text("activation");
  const bool is_silu = activation == "silu" || activation == "swish";
  if (!is_silu && activation != "none") {
    return refuse_attribute(call, "activation");
  }

  const std::span<const T> x = call.values<T>(0), w = call.values<T>(1);
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  ASSIGN(const std::span<T> present, call.make<T>(1, state));
  const auto steps = static_cast<std::size_t>(length), taps = static_cast<std::size_t>(kernel);
  const auto channels = static_cast<std::size_t>(dims[1]);
  std::vector<T> line(steps + taps - 1);  // past and input of one channel
  for (std::size_t plane = 0; plane < static_cast<std::size_t>(dims[0]) * channels; ++plane) {
    std::fill(line.begin(), line.end(), T(0));
    if (call.has_input(3))
      std::copy_n(call.values<T>(3).begin() + static_cast<std::ptrdiff_t>(plane * (taps - 1)),
                  taps - 1, line.begin());
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(plane * steps), steps,
                line.begin() + static_cast<std::ptrdiff_t>(taps - 1));
    const std::size_t c = plane % channels;
    for (std::size_t t = 0; t < steps; ++t) {
      T sum = call.has_input(2) ? call.values<T>(2)[c] : 0;
      for (std::size_t k = 0; k < taps; ++k) sum += w[c * taps + k] * line[t + k];
      y[plane * steps + t] = is_silu ? sum / (1 + std::exp(-sum)) : sum;
    }
    std::copy(line.end() - static_cast<std::ptrdiff_t>(taps - 1), line.end(),
              present.begin() + static_cast<std::ptrdiff_t>(plane * (taps - 1)));
  }
  return {};
}

// The past in front of the input, convolved, and the end of both.
Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  const Shape* const weight = e.shape(1);
  if (!weight || weight->size() != 3 || !(*weight)[0].is_known() || !(*weight)[2].is_known())
    return e.refuse("unknown_rank", {{"input", "1"}});
  const std::int64_t channels = (*weight)[0].value(), kept = (*weight)[2].value() - 1;
  const Term line =
      e.has_input(3)
          ? Term(e, e.add("Concat", {e.input(3), x}, {{"axis", std::int64_t{2}}}), x.type())
          : x.then("Pad", {e.indices({0, 0, kept, 0, 0, 0})});
  std::vector<ValueId> rest = {e.input(1)};
  if (e.has_input(2)) rest.push_back(e.input(2));
  const Term y = line.then("Conv", std::move(rest), {{"group", channels}});
  e.set_output(0, e.text("activation") == "none" ? y : y * y.then("Sigmoid"));
  const ValueId end = e.indices({std::numeric_limits<std::int64_t>::max()});
  e.set_output(1, line.then("Slice", {e.size(x, 2), end, e.indices({2})}));
  return {};
}

}  // namespace

extern const Operator causal_conv_with_state = {
    .name = "CausalConvWithState",
    .doc = "Depthwise convolution over time that carries the last elements along as its state.",
    .since = 27,
    .inputs = {{"input", 'T', kSingles},
               {"weight", 'T', kSingles},
               {"bias", 'T', kSingles, kOptional},
               {"past_state", 'T', kSingles, kOptional}},
    .outputs = {{"output", 'T', kSingles}, {"present_state", 'T', kSingles}},
    .attributes = {{"activation", "none"}},
    .numerics = Numerics::kMatrix,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand,
};

}  // namespace godwit::ops::operators
