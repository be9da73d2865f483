// Attention as a recurrence over a state of keys and values, with decay and the delta rule.
#include "ops/attention.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

enum Input : std::size_t { kQuery, kKey, kValue, kPast, kDecay, kBeta };

Status infer(Inference& n) {
  const std::int64_t q_heads = n.integer("q_num_heads"), heads = n.integer("kv_num_heads");
  if (heads < 1) return refuse_attribute(n, "kv_num_heads");
  if (q_heads < 1) return refuse_attribute(n, "q_num_heads");
  const auto axis = [&](std::size_t input, std::size_t at) {
    return n.shape(input) && n.shape(input)->size() == 3 ? (*n.shape(input))[at] : Dim::unknown();
  };
  const Dim size = floor_div(axis(kValue, 2), heads);
  const bool is_ranked = n.shape(kQuery) && n.shape(kQuery)->size() == 3;
  n.set(0, n.element(kQuery),
        is_ranked ? std::optional(Shape{axis(kQuery, 0), axis(kQuery, 1), size * Dim(q_heads)})
                  : std::nullopt);
  n.set(1, n.has_input(kPast) ? n.element(kPast) : n.element(kQuery),
        Shape{axis(kQuery, 0), heads, floor_div(axis(kKey, 2), heads), size});
  return {};
}

struct Rule {
  bool decays, corrects;
};
Result<Rule> read_rule(const Call& call) {
  const std::string_view rule = call.text("update_rule");
  const Rule out{rule == "gated" || rule == "gated_delta",
                 rule == "delta" || rule == "gated_delta"};
  if (!out.decays && !out.corrects && rule != "linear")
    return refuse_attribute(call, "update_rule");
  if (out.decays && !call.has_input(kDecay)) return call.refuse("missing", {{"input", "decay"}});
  if (out.corrects && !call.has_input(kBeta)) return call.refuse("missing", {{"input", "beta"}});
  return out;
}

// [batch, length, heads * each] of decay or beta: one number for each head, each element of a key,
// or the whole step.
template <class T>
struct Gate {
  std::span<const T> values;
  std::size_t length, width, heads;
  T operator()(std::size_t b, std::size_t t, std::size_t h, std::size_t d) const {
    const std::size_t each = width / heads;
    const std::size_t column = width < heads ? 0 : h * each + (each > 1 ? d : 0);
    return values[(b * length + t) * width + column];
  }
};
template <class T>
Result<Gate<T>> gate(const Call& call, std::size_t input, const HeadSizes& k, bool by_element) {
  if (!call.has_input(input)) return Gate<T>{{}, 0, 1, 1};
  TRY(expect_rank(call, input, 3));
  const std::int64_t width = call.input(input).dims()[2];
  const bool fits = width == k.heads || (by_element ? width == k.heads * k.size : width == 1);
  TRY(expect_sizes(call, input, {k.batch, k.length, fits ? width : k.heads}));
  return Gate<T>{call.values<T>(input), static_cast<std::size_t>(k.length),
                 static_cast<std::size_t>(width), static_cast<std::size_t>(k.heads)};
}

// state += key (x) (value, or with the delta rule what the state does not yet say of the key).
template <class T>
void update(std::span<T> state, std::span<const T> key, std::span<const T> value, const T* beta) {
  const std::size_t width = value.size();
  std::vector<T> write(value.begin(), value.end());
  for (std::size_t m = 0; beta && m < width; ++m) {
    T said = 0;
    for (std::size_t d = 0; d < key.size(); ++d) said += state[d * width + m] * key[d];
    write[m] = *beta * (value[m] - said);
  }
  for (std::size_t d = 0; d < key.size(); ++d) {
    for (std::size_t m = 0; m < width; ++m) state[d * width + m] += key[d] * write[m];
  }
}

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const Rule rule, read_rule(call));
  for (std::size_t i = 0; i < 3; ++i) TRY(expect_rank(call, i, 3));
  ASSIGN(const HeadSizes q_sizes, read_heads(call, kQuery, "q_num_heads"));
  ASSIGN(const HeadSizes k_sizes, read_heads(call, kKey, "kv_num_heads"));
  ASSIGN(const HeadSizes v_sizes, read_heads(call, kValue, "kv_num_heads"));
  if (q_sizes.heads % k_sizes.heads || q_sizes.size != k_sizes.size)
    return refuse_shapes(call, call.input(kQuery).dims(), call.input(kKey).dims());
  const std::int64_t batch = q_sizes.batch, length = q_sizes.length;
  TRY(expect_sizes(call, kKey, {batch, length, k_sizes.heads * k_sizes.size}));
  TRY(expect_sizes(call, kValue, {batch, length, v_sizes.heads * v_sizes.size}));
  ASSIGN(const Gate<T> decay, gate<T>(call, kDecay, k_sizes, true));
  ASSIGN(const Gate<T> beta, gate<T>(call, kBeta, k_sizes, false));

  const HeadRows<T> q = head_rows(q_sizes, call.values<T>(kQuery));
  const HeadRows<T> k = head_rows(k_sizes, call.values<T>(kKey));
  const HeadRows<T> v = head_rows(v_sizes, call.values<T>(kValue));
  ASSIGN(const std::span<T> y, call.make<T>(0, {batch, length, q_sizes.heads * v_sizes.size}));
  const Sizes state_dims = {batch, k_sizes.heads, k_sizes.size, v_sizes.size};
  ASSIGN(const std::span<T> states, call.make<T>(1, state_dims));
  if (call.has_input(kPast)) {
    TRY(expect_sizes(call, kPast, state_dims));
    ASSIGN(const Tensor past, convert(call.input(kPast), ir::kElement<T>));
    std::copy_n(past.values<T>().begin(), states.size(), states.begin());
  }
  const float given = call.number("scale");
  const T scale = given != 0 ? static_cast<T>(given) : 1 / std::sqrt(static_cast<T>(q.size));
  const std::size_t each = k.size * v.size, sharing = q.heads / k.heads;
  for (std::size_t head = 0; head < k.batch * k.heads; ++head) {
    const std::size_t b = head / k.heads, h = head % k.heads;
    const std::span<T> state = states.subspan(head * each, each);
    for (std::size_t t = 0; t < k.length; ++t) {
      for (std::size_t i = 0; rule.decays && i < each; ++i)
        state[i] *= std::exp(decay(b, t, h, i / v.size));
      const T rate = rule.corrects ? beta(b, t, h, 0) : T(1);
      update<T>(state, k(b, h, t), v(b, h, t), rule.corrects ? &rate : nullptr);
      for (std::size_t of = h * sharing; of < (h + 1) * sharing; ++of) {
        const std::span<T> to = y.subspan(((b * q.length + t) * q.heads + of) * v.size, v.size);
        for (std::size_t i = 0; i < each; ++i)
          to[i % v.size] += scale * q(b, of, t)[i / v.size] * state[i];
      }
    }
  }
  return {};
}

}  // namespace

extern const Operator linear_attention = {
    .name = "LinearAttention",
    .doc = "Attention as a recurrence over a state of keys and values.",
    .since = 27,
    .inputs = {{"query", 'T', kSingles},
               {"key", 'T', kSingles},
               {"value", 'T', kSingles},
               {"past_state", 'S', kSingles, kOptional},
               {"decay", 'T', kSingles, kOptional},
               {"beta", 'T', kSingles, kOptional}},
    .outputs = {{"output", 'T', kSingles}, {"present_state", 'S', kSingles}},
    .attributes = {{"chunk_size", 64},
                   {"kv_num_heads", kMustBeThere},
                   {"q_num_heads", kMustBeThere},
                   {"scale", 0.0F},
                   {"update_rule", "gated_delta"}},
    .numerics = Numerics::kMatrix,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
