// The gated recurrent unit (arXiv 1406.1078).
#include "ops/recurrent.h"

namespace godwit::ops::operators {
namespace {

enum Gate : std::size_t { kUpdate, kReset, kHidden };

template <class T>
Status evaluate(Call& call) {
  const bool resets_product = call.flag("linear_before_reset");
  const auto step = [resets_product](const Direction<T>& d, std::span<const T> x, State<T>& state) {
    const std::size_t units = state.h.size();
    std::vector<T> z(units), r(units), reset(units);
    for (std::size_t u = 0; u < units; ++u) {
      z[u] = d.activate(0, d.of_input(kUpdate, u, x) + d.of_state(kUpdate, u, state.h));
      r[u] = d.activate(0, d.of_input(kReset, u, x) + d.of_state(kReset, u, state.h));
      reset[u] = r[u] * state.h[u];
    }
    std::vector<T> h(units);
    for (std::size_t u = 0; u < units; ++u) {
      const T memory =
          resets_product ? r[u] * d.of_state(kHidden, u, state.h) : d.of_state(kHidden, u, reset);
      const T candidate = d.activate(1, d.of_input(kHidden, u, x) + memory);
      h[u] = (1 - z[u]) * candidate + z[u] * state.h[u];
    }
    state.h = std::move(h);
  };
  return unroll<T>(call, {.gates = 3, .activations = {"Sigmoid", "Tanh"}}, step);
}

}  // namespace

extern const Operator gru = {
    .name = "GRU",
    .doc = "A layer of gated recurrent units, in one direction or both.",
    .inputs = kRecurrentInputs,
    .outputs =
        {{"Y", 'T', floats(22), kOptional},
         {.name = "Y_h", .variable = 'T', .types = kClassicFloats, .until = 2},
         {.name = "Y_h", .variable = 'T', .types = floats(22), .kind = kOptional, .since = 3}},
    .attributes = kRecurrentAttributes +
                  AttributeSpecs{{.name = "direction", .fallback = "foward", .until = 2},
                                 {.name = "direction", .fallback = "forward", .since = 3},
                                 {.name = "linear_before_reset", .fallback = 0, .since = 3}},
    .revisions = {22},
    .numerics = Numerics::kMatrix,
    .infer = [](Inference& n) { return infer_recurrence(n, 3); },
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
