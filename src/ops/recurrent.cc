// Sizes and settings of recurrent operators.
#include "ops/recurrent.h"

#include <limits>
#include <optional>

#include "base/text.h"
#include "ops/expect.h"

namespace godwit::ops {
namespace {

// Defaults are those of the operator of that name, where one exists.
struct Named {
  std::string_view name;
  Activation::Kind kind;
  std::optional<float> alpha, beta;  // none: not used
  bool has_defaults = true;
};
using enum Activation::Kind;
constexpr Named kActivations[] = {
    {"Relu", kRelu, {}, {}},
    {"Tanh", kTanh, {}, {}},
    {"Sigmoid", kSigmoid, {}, {}},
    {"Affine", kAffine, 1.0F, 0.0F},
    {"LeakyRelu", kLeakyRelu, 0.01F, {}},
    {"ThresholdedRelu", kThresholdedRelu, 1.0F, {}},
    {"ScaledTanh", kScaledTanh, 1.0F, 1.0F, false},
    {"HardSigmoid", kHardSigmoid, 0.2F, 0.5F},
    {"Elu", kElu, 1.0F, {}},
    {"Softsign", kSoftsign, {}, {}},
    {"Softplus", kSoftplus, {}, {}},
};

// Parameters are taken in order by the functions that use them.
Result<std::vector<Activation>> read_activations(const Site& site, const CellKind& kind,
                                                 std::size_t directions) {
  const std::size_t wanted = directions * kind.activations.size();
  std::vector<std::string> names = site.texts("activations");
  if (names.empty()) {
    for (std::size_t i = 0; i < wanted; ++i)
      names.push_back(kind.activations[i % kind.activations.size()]);
  }
  // RNN names two by default, whatever the direction; the second is for the way back.
  if (names.size() < wanted) return refuse_attribute(site, "activations");
  names.resize(wanted);
  const Floats alphas = site.numbers("activation_alpha"), betas = site.numbers("activation_beta");
  std::size_t alpha = 0, beta = 0;
  std::vector<Activation> out;
  for (const std::string& name : names) {
    const auto* const row = std::find_if(std::begin(kActivations), std::end(kActivations),
                                         [&](const Named& r) { return r.name == name; });
    if (row == std::end(kActivations))
      return site.refuse("activation", {{"name", to_valid_utf8(name)}});
    Activation made{row->kind, row->alpha.value_or(0), row->beta.value_or(0)};
    if (!row->has_defaults && (alpha >= alphas.size() || beta >= betas.size()))
      return refuse_attribute(site, "activation_alpha");
    if (row->alpha && alpha < alphas.size()) made.alpha = alphas[alpha++];
    if (row->beta && beta < betas.size()) made.beta = betas[beta++];
    out.push_back(made);
  }
  return out;
}

Result<std::size_t> read_directions(const Site& site) {
  const std::string_view direction = site.text("direction");
  if (direction == "bidirectional") return 2U;
  // The default of GRU-1 was misspelt.
  if (direction == "forward" || direction == "reverse" || direction == "foward") return 1U;
  return refuse_attribute(site, "direction");
}

Result<std::vector<std::size_t>> read_lengths(const Call& call, std::size_t batch,
                                              std::size_t steps) {
  if (!call.has_input(4)) return std::vector<std::size_t>(batch, steps);
  TRY(expect_sizes(call, 4, {static_cast<std::int64_t>(batch)}));
  ASSIGN(const Ints given, call.integers(4));
  const auto most = static_cast<std::int64_t>(steps);
  std::vector<std::size_t> out;
  for (const std::int64_t length : given) {
    if (length < 0 || length > most) return refuse_index(call, length, most + 1);
    out.push_back(static_cast<std::size_t>(length));
  }
  return out;
}

Status check_sizes(const Call& call, const Recurrence& s, const CellKind& kind) {
  const auto size = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  const std::int64_t d = size(s.directions), h = size(s.hidden), b = size(s.batch);
  const std::int64_t rows = size(s.gates) * h;
  const Sizes state = s.batch_first ? Sizes{b, d, h} : Sizes{d, b, h};
  TRY(expect_sizes(call, 1, {d, rows, size(s.input)}));
  TRY(expect_sizes(call, 2, {d, rows, h}));
  if (call.has_input(3)) TRY(expect_sizes(call, 3, {d, 2 * rows}));
  if (call.has_input(5)) TRY(expect_sizes(call, 5, state));
  if (kind.has_cell_state && call.has_input(6)) TRY(expect_sizes(call, 6, state));
  if (kind.has_cell_state && call.has_input(7)) TRY(expect_sizes(call, 7, {d, 3 * h}));
  if (call.has("hidden_size") && call.integer("hidden_size") != h)
    return refuse_attribute(call, "hidden_size");
  return {};
}

}  // namespace

Result<Recurrence> read_recurrence(const Call& call, const CellKind& kind) {
  TRY(expect_rank(call, 0, 3));
  TRY(expect_rank(call, 2, 3));
  const auto axis = [&](std::size_t input, std::size_t at) {
    return static_cast<std::size_t>(call.input(input).dims()[at]);
  };
  const bool batch_first = call.flag("layout");
  Recurrence out{.gates = kind.gates,
                 .directions = 1,
                 .steps = axis(0, batch_first ? 1 : 0),
                 .batch = axis(0, batch_first ? 0 : 1),
                 .input = axis(0, 2),
                 .hidden = axis(2, 2),
                 .batch_first = batch_first,
                 .goes_backwards = call.text("direction") == "reverse",
                 .lengths = {},
                 .activations = {},
                 .clip = std::numeric_limits<double>::infinity()};
  ASSIGN(out.directions, read_directions(call));
  ASSIGN(out.lengths, read_lengths(call, out.batch, out.steps));
  ASSIGN(out.activations, read_activations(call, kind, out.directions));
  if (call.has("clip")) {
    out.clip = static_cast<double>(call.number("clip"));
    if (!(out.clip >= 0)) return refuse_attribute(call, "clip");
  }
  TRY(check_sizes(call, out, kind));
  return out;
}

Status infer_recurrence(Inference& n, std::size_t gates) {
  ASSIGN(const std::size_t directions, read_directions(n));
  const auto axis = [&](std::size_t input, std::size_t at) {
    return n.shape(input) && n.shape(input)->size() == 3 ? (*n.shape(input))[at] : Dim::unknown();
  };
  const bool batch_first = n.flag("layout");
  const Dim d = static_cast<std::int64_t>(directions);
  const Dim steps = axis(0, batch_first ? 1 : 0), batch = axis(0, batch_first ? 0 : 1);
  Dim hidden = axis(2, 2);
  if (n.has("hidden_size"))
    hidden = n.integer("hidden_size");
  else if (!hidden.is_known() && n.shape(1))
    hidden = floor_div(axis(1, 1), Dim(static_cast<std::int64_t>(gates)));
  const Shape state = batch_first ? Shape{batch, d, hidden} : Shape{d, batch, hidden};
  n.set(0, n.element(0),
        batch_first ? Shape{batch, steps, d, hidden} : Shape{steps, d, batch, hidden});
  n.set(1, n.element(0), state);
  n.set(2, n.element(0), state);
  return {};
}

}  // namespace godwit::ops
