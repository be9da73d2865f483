// What RNN, GRU and LSTM share: sizes, activations, directions, and the loop over time.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops {

/// One of the functions that a cell may apply, with its parameters.
struct Activation {
  enum class Kind : std::uint8_t {
    kRelu,
    kTanh,
    kSigmoid,
    kAffine,
    kLeakyRelu,
    kThresholdedRelu,
    kScaledTanh,
    kHardSigmoid,
    kElu,
    kSoftsign,
    kSoftplus
  };
  Kind kind;
  float alpha, beta;

  template <class T>
  T operator()(T x) const {
    const T a = static_cast<T>(alpha), b = static_cast<T>(beta);
    switch (kind) {
      case Kind::kRelu: return std::max<T>(0, x);
      case Kind::kTanh: return std::tanh(x);
      case Kind::kSigmoid: return 1 / (1 + std::exp(-x));
      case Kind::kAffine: return a * x + b;
      case Kind::kLeakyRelu: return x >= 0 ? x : a * x;
      case Kind::kThresholdedRelu: return x >= a ? x : 0;
      case Kind::kScaledTanh: return a * std::tanh(b * x);
      case Kind::kHardSigmoid: return std::clamp<T>(a * x + b, 0, 1);
      case Kind::kElu: return x >= 0 ? x : a * std::expm1(x);
      case Kind::kSoftsign: return x / (1 + std::abs(x));
      case Kind::kSoftplus: return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    }
    return x;
  }
};

/// Inputs and attributes of every recurrent operator; some have more.
inline constexpr Parameters kRecurrentInputs = {{"X", 'T', floats(22)},
                                                {"W", 'T', floats(22)},
                                                {"R", 'T', floats(22)},
                                                {"B", 'T', floats(22), kOptional},
                                                {"sequence_lens", 'L', kInt32, kOptional},
                                                {"initial_h", 'T', floats(22), kOptional}};
inline constexpr AttributeSpecs kRecurrentAttributes = {
    {"activation_alpha"},
    {"activation_beta"},
    {"activations"},
    {"clip"},
    {"hidden_size"},
    {.name = "layout", .fallback = 0, .since = 14},
    {.name = "output_sequence", .fallback = 0, .until = 6}};

/// What makes one cell another than the others.
struct CellKind {
  std::size_t gates;
  std::vector<std::string> activations;  // by default, for one direction
  bool has_cell_state = false;
};

/// One node: sizes that fit each other, and settings.
struct Recurrence {
  std::size_t gates, directions, steps, batch, input, hidden;
  bool batch_first, goes_backwards;  // goes_backwards: the only direction does
  std::vector<std::size_t> lengths;  // steps of each member of the batch
  std::vector<Activation> activations;
  double clip;  // infinity: none

  /// Where the rows of direction `d`, member `b` and time `t` begin in X, in Y and in states.
  std::size_t x_at(std::size_t t, std::size_t b) const {
    return (batch_first ? b * steps + t : t * batch + b) * input;
  }
  std::size_t y_at(std::size_t t, std::size_t d, std::size_t b) const {
    return (batch_first ? (b * steps + t) * directions + d : (t * directions + d) * batch + b) *
           hidden;
  }
  std::size_t state_at(std::size_t d, std::size_t b) const {
    return (batch_first ? b * directions + d : d * batch + b) * hidden;
  }
};
Result<Recurrence> read_recurrence(const Call& call, const CellKind& kind);

/// Shapes of Y, Y_h and Y_c.
Status infer_recurrence(Inference& n, std::size_t gates);

/// Weights and functions of one direction.
template <class T>
struct Direction {
  const Recurrence& sizes;
  std::span<const T> w, r, b, peepholes;  // b and peepholes: empty when left out
  std::span<const Activation> activations;

  /// Row `unit` of the gate: W x + Wb.
  T of_input(std::size_t gate, std::size_t unit, std::span<const T> x) const {
    return dot(w, gate, unit, x) + bias(gate, unit);
  }
  /// R h + Rb.
  T of_state(std::size_t gate, std::size_t unit, std::span<const T> h) const {
    return dot(r, gate, unit, h) + bias(sizes.gates + gate, unit);
  }
  T peephole(std::size_t gate, std::size_t unit, T c) const {
    return peepholes.empty() ? T(0) : peepholes[gate * sizes.hidden + unit] * c;
  }
  /// The function of that number, of x kept within the clip threshold.
  T activate(std::size_t function, T x) const {
    const T most = static_cast<T>(sizes.clip);
    return activations[function](std::clamp(x, -most, most));
  }

 private:
  T dot(std::span<const T> m, std::size_t gate, std::size_t unit, std::span<const T> v) const {
    const std::span<const T> row = m.subspan((gate * sizes.hidden + unit) * v.size(), v.size());
    T sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += row[i] * v[i];
    return sum;
  }
  T bias(std::size_t row, std::size_t unit) const {
    return b.empty() ? T(0) : b[row * sizes.hidden + unit];
  }
};

/// What a cell carries from step to step.
template <class T>
struct State {
  std::vector<T> h, c;
};

/// Runs `step(direction, x, state)` over time for every direction and member of the batch, and
/// makes the outputs: Y (all h), Y_h (the last h) and Y_c (the last c).
template <class T, class Step>
Status unroll(Call& call, const CellKind& kind, Step&& step) {
  ASSIGN(const Recurrence s, read_recurrence(call, kind));
  const auto part = [&](std::size_t input, std::size_t d) {
    const std::span<const T> all =
        call.has_input(input) ? call.values<T>(input) : std::span<const T>();
    return all.subspan(d * (all.size() / s.directions), all.size() / s.directions);
  };
  const auto size = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  const std::int64_t directions = size(s.directions), hidden = size(s.hidden);
  const std::int64_t first = size(s.batch_first ? s.batch : s.steps);
  const Sizes states = s.batch_first ? Sizes{size(s.batch), directions, hidden}
                                     : Sizes{directions, size(s.batch), hidden};
  const Sizes all = s.batch_first ? Sizes{first, size(s.steps), directions, hidden}
                                  : Sizes{first, directions, size(s.batch), hidden};
  ASSIGN(const std::span<T> y, call.make<T>(0, all));
  ASSIGN(const std::span<T> y_h, call.make<T>(1, states));
  std::span<T> y_c;
  if (kind.has_cell_state) {
    ASSIGN(y_c, call.make<T>(2, states));
  }
  for (std::size_t d = 0; d < s.directions; ++d) {
    const std::size_t functions = s.activations.size() / s.directions;
    const Direction<T> direction{s,
                                 part(1, d),
                                 part(2, d),
                                 part(3, d),
                                 kind.has_cell_state ? part(7, d) : std::span<const T>(),
                                 std::span(s.activations).subspan(d * functions, functions)};
    for (std::size_t b = 0; b < s.batch; ++b) {
      const std::size_t at = s.state_at(d, b);
      const auto initial = [&](std::size_t input) {
        if (!call.has_input(input)) return std::vector<T>(s.hidden);
        const std::span<const T> from = call.values<T>(input).subspan(at, s.hidden);
        return std::vector<T>(from.begin(), from.end());
      };
      State<T> state{initial(5), kind.has_cell_state ? initial(6) : std::vector<T>()};
      const bool backwards = d == 1 || s.goes_backwards;
      for (std::size_t i = 0; i < s.lengths[b]; ++i) {
        const std::size_t t = backwards ? s.lengths[b] - 1 - i : i;
        step(direction, call.values<T>(0).subspan(s.x_at(t, b), s.input), state);
        std::copy(state.h.begin(), state.h.end(), y.begin() + std::ptrdiff_t(s.y_at(t, d, b)));
      }
      std::copy(state.h.begin(), state.h.end(), y_h.begin() + std::ptrdiff_t(at));
      if (kind.has_cell_state)
        std::copy(state.c.begin(), state.c.end(), y_c.begin() + std::ptrdiff_t(at));
    }
  }
  return {};
}

}  // namespace godwit::ops
