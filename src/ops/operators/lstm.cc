// Long short-term memory, with peepholes and coupled gates where the node asks for them.
#include "ops/recurrent.h"

namespace godwit::ops::operators {
namespace {

enum Gate : std::size_t { kInput, kOutput, kForget, kCell };
enum Peephole : std::size_t { kOfInput, kOfOutput, kOfForget };

template <class T>
Status evaluate(Call& call) {
  const bool is_coupled = call.flag("input_forget");
  const auto step = [is_coupled](const Direction<T>& d, std::span<const T> x, State<T>& state) {
    const std::size_t units = state.h.size();
    const std::vector<T> before = state.h;
    const auto sum = [&](Gate gate, std::size_t u) {
      return d.of_input(gate, u, x) + d.of_state(gate, u, before);
    };
    for (std::size_t u = 0; u < units; ++u) {
      const T past = state.c[u];
      const T i = d.activate(0, sum(kInput, u) + d.peephole(kOfInput, u, past));
      const T f =
          is_coupled ? 1 - i : d.activate(0, sum(kForget, u) + d.peephole(kOfForget, u, past));
      const T c = f * past + i * d.activate(1, sum(kCell, u));
      const T o = d.activate(0, sum(kOutput, u) + d.peephole(kOfOutput, u, c));
      state.c[u] = c;
      // The threshold bounds what goes into gates, not what the cell keeps.
      state.h[u] = o * d.activations[2](c);
    }
  };
  return unroll<T>(
      call, {.gates = 4, .activations = {"Sigmoid", "Tanh", "Tanh"}, .has_cell_state = true}, step);
}

}  // namespace

extern const Operator lstm = {
    .name = "LSTM",
    .doc = "A layer of long short-term memory cells, in one direction or both.",
    .inputs = kRecurrentInputs + Parameters{{"initial_c", 'T', floats(22), kOptional},
                                            {"P", 'T', floats(22), kOptional}},
    .outputs = {{"Y", 'T', floats(22), kOptional},
                {"Y_h", 'T', floats(22), kOptional},
                {"Y_c", 'T', floats(22), kOptional}},
    .attributes =
        kRecurrentAttributes + AttributeSpecs{{"direction", "forward"}, {"input_forget", 0}},
    .revisions = {22},
    .numerics = Numerics::kMatrix,
    .infer = [](Inference& n) { return infer_recurrence(n, 4); },
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
