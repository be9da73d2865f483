// Attention as a recurrence over a state of keys and values, with decay and the delta rule.
#include "base/text.h"
#include "ops/attention.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"

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
Result<Rule> read_rule(const Site& site, bool has_decay, bool has_beta) {
  const std::string_view rule = site.text("update_rule");
  const Rule out{rule == "gated" || rule == "gated_delta",
                 rule == "delta" || rule == "gated_delta"};
  if (!out.decays && !out.corrects && rule != "linear")
    return refuse_attribute(site, "update_rule");
  if (out.decays && !has_decay) return site.refuse("missing", {{"input", "decay"}});
  if (out.corrects && !has_beta) return site.refuse("missing", {{"input", "beta"}});
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
  ASSIGN(const Rule rule, read_rule(call, call.has_input(kDecay), call.has_input(kBeta)));
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

// The recurrence step by step, each of all members of the batch and all heads.
class Unrolled {
 public:
  static Result<Unrolled> of(Expansion& e) {
    Unrolled out(e);
    ASSIGN(out.rule_, read_rule(e, e.has_input(kDecay), e.has_input(kBeta)));
    for (const std::size_t input : {kQuery, kKey, kValue}) {
      ASSIGN(const Term x, term(e, input));
      out.rows_.push_back(x.as(kType));
    }
    const Shape* const query = e.shape(kQuery);
    if (!query || query->size() != 3 || !(*query)[2].is_known() || !(*query)[1].is_known())
      return e.refuse("unknown_rank", {{"input", "0"}});
    out.length_ = (*query)[1].value();
    if (out.length_ < 1 || out.length_ > kMostSteps)
      return e.refuse("steps",
                      {{"steps", format("{}", out.length_)}, {"most", format("{}", kMostSteps)}});
    out.heads_ = e.integer("kv_num_heads");
    out.queries_ = e.integer("q_num_heads");
    if (out.heads_ < 1 || out.queries_ < 1 || out.queries_ % out.heads_ != 0)
      return refuse_attribute(e, "q_num_heads");
    const auto given = static_cast<double>(e.number("scale"));
    const auto size = static_cast<double>((*query)[2].value() / out.queries_);
    out.scale_ = given != 0 ? given : 1 / std::sqrt(size);
    return out;
  }

  void run() {
    std::optional<Term> state;  // [batch, heads, size of a key, size of a value]
    if (e_.has_input(kPast)) state = Term(e_, e_.cast(e_.input(kPast), kType), kType);
    std::vector<ValueId> made;
    for (std::int64_t t = 0; t < length_; ++t) {
      state = next(state, t);
      const Term query = step(rows_[kQuery], t, {0, heads_, queries_ / heads_, -1});
      made.push_back((query * scale_).then("MatMul", {*state}).reshaped(e_.indices({0, 1, -1})));
    }
    e_.set_output(0,
                  e_.cast(e_.add("Concat", made, {{"axis", std::int64_t{1}}}), e_.element(kQuery)));
    e_.set_output(1, e_.cast(*state, e_.element(e_.has_input(kPast) ? kPast : kQuery)));
  }

 private:
  static constexpr ElementType kType = ElementType::kFloat;
  static constexpr std::int64_t kMostSteps = 256;

  explicit Unrolled(Expansion& e) : e_(e) {}

  // [batch, width] of step t, in another shape.
  Term step(const Term& x, std::int64_t t, Ints shape) {
    return x.then("Gather", {e_.index(t)}, {{"axis", std::int64_t{1}}})
        .reshaped(e_.indices(std::move(shape)));
  }

  // One number for each head, each element of a key, or the whole step.
  Term gate(std::size_t input, std::int64_t t) {
    const Term x(e_, e_.cast(e_.input(input), kType), kType);
    const Shape* const shape = e_.shape(input);
    const bool is_shared = shape && shape->size() == 3 && (*shape)[2].is(1);
    return step(x, t, {0, is_shared ? 1 : heads_, -1, 1});
  }

  Term next(const std::optional<Term>& before, std::int64_t t) {
    const Term key = step(rows_[kKey], t, {0, heads_, -1, 1});
    Term write = step(rows_[kValue], t, {0, heads_, 1, -1});
    std::optional<Term> state = before;
    if (state && rule_.decays) state = *state * gate(kDecay, t).then("Exp");
    if (state && rule_.corrects)
      write = write - key.transposed({0, 1, 3, 2}).then("MatMul", {*state});
    if (rule_.corrects) write = write * gate(kBeta, t);
    const Term added = key * write;
    return state ? *state + added : added;
  }

  Expansion& e_;
  Rule rule_{};
  std::vector<Term> rows_;
  std::int64_t length_ = 0, heads_ = 1, queries_ = 1;
  double scale_ = 1;
};

Status expand(Expansion& e) {
  ASSIGN(Unrolled unrolled, Unrolled::of(e));
  unrolled.run();
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
    .expand = expand,
};

}  // namespace godwit::ops::operators
