// The fused cells of LSTM and GRU, which a backend must have and the CPU has not: registered as CPU
// kernels, so that the fallback finds them as it finds all others.
#define AT_PER_OPERATOR_HEADERS  // else the operators of tensors bring all of ATen
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

namespace godwit {
namespace {

using at::Tensor;
using Given = c10::optional<Tensor>;

bool has(const Given& tensor) { return tensor && tensor->defined(); }
Tensor plus(const Tensor& gates, const Given& bias) { return has(bias) ? gates + *bias : gates; }

// Gates in the order input, forget, cell, output; the workspace keeps them after their functions.
std::tuple<Tensor, Tensor, Tensor> lstm_cell(const Tensor& input_gates, const Tensor& hidden_gates,
                                             const Tensor& cell, const Given& input_bias,
                                             const Given& hidden_bias) {
  const auto gates = (plus(hidden_gates, hidden_bias) + plus(input_gates, input_bias)).chunk(4, 1);
  const Tensor in = gates[0].sigmoid(), forget = gates[1].sigmoid(), fresh = gates[2].tanh(),
               out = gates[3].sigmoid();
  const Tensor next = forget * cell + in * fresh;
  return {out * next.tanh(), next, at::cat({in, forget, fresh, out}, 1)};
}

std::tuple<Tensor, Tensor, Tensor> lstm_cell_backward(const Given& grad_hidden,
                                                      const Given& grad_cell, const Tensor& cell,
                                                      const Tensor& next, const Tensor& workspace,
                                                      bool has_bias) {
  const auto gates = workspace.chunk(4, 1);
  const Tensor &in = gates[0], &forget = gates[1], &fresh = gates[2], &out = gates[3];
  const Tensor squashed = next.tanh();
  Tensor grad_next = has(grad_cell) ? *grad_cell : at::zeros_like(next);
  Tensor grad_out = at::zeros_like(next);
  if (has(grad_hidden)) {
    grad_out = *grad_hidden * squashed;
    grad_next = grad_next + *grad_hidden * out * (1 - squashed * squashed);
  }
  const Tensor grad_gates =
      at::cat({grad_next * fresh * in * (1 - in), grad_next * cell * forget * (1 - forget),
               grad_next * in * (1 - fresh * fresh), grad_out * out * (1 - out)},
              1);
  return {grad_gates, grad_next * forget, has_bias ? grad_gates.sum(0) : Tensor()};
}

// Gates in the order reset, update, fresh; the workspace also keeps the state and the hidden part
// of the fresh gate.
std::tuple<Tensor, Tensor> gru_cell(const Tensor& input_gates, const Tensor& hidden_gates,
                                    const Tensor& state, const Given& input_bias,
                                    const Given& hidden_bias) {
  const auto in = plus(input_gates, input_bias).chunk(3, 1);
  const auto hidden = plus(hidden_gates, hidden_bias).chunk(3, 1);
  const Tensor reset = (hidden[0] + in[0]).sigmoid(), update = (hidden[1] + in[1]).sigmoid();
  const Tensor fresh = (in[2] + hidden[2] * reset).tanh();
  return {(state - fresh) * update + fresh, at::cat({reset, update, fresh, state, hidden[2]}, 1)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> gru_cell_backward(const Tensor& grad,
                                                                     const Tensor& workspace,
                                                                     bool has_bias) {
  const auto kept = workspace.chunk(5, 1);
  const Tensor &reset = kept[0], &update = kept[1], &fresh = kept[2], &state = kept[3],
               &hidden = kept[4];
  const Tensor grad_update = grad * (state - fresh) * update * (1 - update);
  const Tensor grad_fresh = grad * (1 - update) * (1 - fresh * fresh);
  const Tensor grad_reset = grad_fresh * hidden * reset * (1 - reset);
  const Tensor grad_in = at::cat({grad_reset, grad_update, grad_fresh}, 1);
  const Tensor grad_hidden = at::cat({grad_reset, grad_update, grad_fresh * reset}, 1);
  return {grad_in, grad_hidden, grad * update, has_bias ? grad_in.sum(0) : Tensor(),
          has_bias ? grad_hidden.sum(0) : Tensor()};
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("_thnn_fused_lstm_cell", godwit::lstm_cell);
  m.impl("_thnn_fused_lstm_cell_backward_impl", godwit::lstm_cell_backward);
  m.impl("_thnn_fused_gru_cell", godwit::gru_cell);
  m.impl("_thnn_fused_gru_cell_backward", godwit::gru_cell_backward);
}
