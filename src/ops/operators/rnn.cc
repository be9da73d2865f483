// The simple recurrent network: one gate, h = f(W x + R h + b).
#include "ops/recurrent.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  const auto step = [](const Direction<T>& d, std::span<const T> x, State<T>& state) {
    std::vector<T> h(state.h.size());
    for (std::size_t u = 0; u < h.size(); ++u)
      h[u] = d.activate(0, d.of_input(0, u, x) + d.of_state(0, u, state.h));
    state.h = std::move(h);
  };
  return unroll<T>(call, {.gates = 1, .activations = {"Tanh"}}, step);
}

}  // namespace

extern const Operator rnn = {
    .name = "RNN",
    .doc = "A simple recurrent layer, in one direction or both.",
    .inputs = kRecurrentInputs,
    .outputs = {{"Y", 'T', floats(22), kOptional}, {"Y_h", 'T', floats(22), kOptional}},
    .attributes = kRecurrentAttributes + AttributeSpecs{{"direction", "forward"}},
    .revisions = {22},
    .numerics = Numerics::kMatrix,
    .infer = [](Inference& n) { return infer_recurrence(n, 1); },
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
