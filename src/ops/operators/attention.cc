// Scaled dot-product attention with masks, caches, grouped heads, windows and a cap on scores
// (arXiv 1706.03762, 2305.13245).
#include "ops/attention.h"
#include "ops/expand_attention.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

using namespace attention;
enum class Shown : std::uint8_t { kRaw, kCapped, kBiased, kProbabilities };

// [batch, heads, length, size] of an input, packed or not.
std::optional<Shape> heads_of(const Inference& n, std::size_t input, std::string_view attribute) {
  const Shape* const dims = n.shape(input);
  if (!dims || (dims->size() != 3 && dims->size() != 4)) return std::nullopt;
  if (dims->size() == 4) return *dims;
  const std::int64_t heads = n.integer(attribute);
  if (heads < 1) return std::nullopt;
  return Shape{(*dims)[0], heads, (*dims)[1], floor_div((*dims)[2], heads)};
}

Status infer(Inference& n) {
  const auto q = heads_of(n, kQ, "q_num_heads"), k = heads_of(n, kK, "kv_num_heads"),
             v = heads_of(n, kV, "kv_num_heads");
  std::optional<Shape> y, key, value, scores;
  Dim past = 0;
  if (n.has_input(kPastKey)) {
    const Shape* const dims = n.shape(kPastKey);
    past = dims && dims->size() == 4 ? (*dims)[2] : Dim::unknown();
  }
  if (k) key = Shape{(*k)[0], (*k)[1], past + (*k)[2], (*k)[3]};
  if (v) value = Shape{(*v)[0], (*v)[1], past + (*v)[2], (*v)[3]};
  if (q && k) scores = Shape{(*q)[0], (*q)[1], (*q)[2], past + (*k)[2]};
  if (q && v && n.shape(kQ)->size() == 3) y = Shape{(*q)[0], (*q)[2], (*q)[1] * (*v)[3]};
  if (q && v && n.shape(kQ)->size() == 4) y = Shape{(*q)[0], (*q)[1], (*q)[2], (*v)[3]};
  n.set(kY, n.element(kQ), std::move(y));
  n.set(kPresentKey, n.element(kQ), std::move(key));
  n.set(kPresentValue, n.element(kV), std::move(value));
  n.set(kScores, n.element(kQ), std::move(scores));
  return {};
}

struct Setting {
  HeadSizes q{}, k{}, v{};
  std::int64_t past = 0, total = 0;
  bool is_causal = false;
  std::int64_t left = -1, right = -1;  // windows; -1: open
  std::optional<Ints> valid_keys{};    // of each member of the batch
  ElementType softmax_type = ElementType::kUndefined;
  Shown shown = Shown::kRaw;

  // Valid keys before the first query of a member of the batch.
  std::int64_t offset(std::size_t b) const {
    return valid_keys ? (*valid_keys)[b] - q.length : past;
  }
  bool allows(std::size_t b, std::int64_t i, std::int64_t j) const {
    const std::int64_t here = i + offset(b);
    if (valid_keys && j >= (*valid_keys)[b]) return false;
    return !(is_causal && j > here) && !(left >= 0 && j < here - left) &&
           !(right >= 0 && j > here + right);
  }
};

Status check_fit(const Call& call, const Setting& s) {
  const bool fits = s.k.batch == s.q.batch && s.v.batch == s.q.batch && s.k.heads == s.v.heads &&
                    s.k.length == s.v.length && s.k.size == s.q.size && s.k.heads >= 1 &&
                    s.q.heads % s.k.heads == 0 && s.k.is_packed == s.q.is_packed &&
                    s.v.is_packed == s.q.is_packed;
  if (!fits) return refuse_shapes(call, call.input(kQ).dims(), call.input(kK).dims());
  if (call.has_input(kPastKey) != call.has_input(kPastValue))
    return call.refuse("missing", {{"input", "past_value"}});
  if (call.has_input(kPastKey)) {
    TRY(expect_sizes(call, kPastKey, {s.k.batch, s.k.heads, s.past, s.k.size}));
    TRY(expect_sizes(call, kPastValue, {s.v.batch, s.v.heads, s.past, s.v.size}));
  }
  if (call.has_input(kValidKeys)) TRY(expect_sizes(call, kValidKeys, {s.q.batch}));
  return {};
}

Result<Setting> read(const Call& call) {
  Setting s;
  ASSIGN(s.q, read_heads(call, kQ, "q_num_heads"));
  ASSIGN(s.k, read_heads(call, kK, "kv_num_heads"));
  ASSIGN(s.v, read_heads(call, kV, "kv_num_heads"));
  if (call.input(kPastKey).rank() == 4) s.past = call.input(kPastKey).dims()[2];
  TRY(check_fit(call, s));
  s.total = s.past + s.k.length;
  s.is_causal = call.flag("is_causal");
  s.left = call.integer("left_window_size");
  s.right = call.integer("right_window_size");
  if (call.opset() < 25) s.left = s.right = -1;
  if (call.has_input(kValidKeys)) {
    ASSIGN(s.valid_keys, call.integers(kValidKeys));
  }
  s.softmax_type = static_cast<ElementType>(call.integer("softmax_precision"));
  if (call.has("softmax_precision") && !kFloats.has(s.softmax_type))
    return refuse_attribute(call, "softmax_precision");
  const std::int64_t shown = call.integer("qk_matmul_output_mode");
  if (shown < 0 || shown > 3) return refuse_attribute(call, "qk_matmul_output_mode");
  s.shown = static_cast<Shown>(shown);
  return s;
}

// [batch, heads, past + new, size]: the cache with the new rows behind it.
template <class T>
Result<HeadRows<T>> cache(Call& call, std::size_t output, const HeadSizes& s, std::size_t input,
                          std::size_t past_input, std::int64_t past) {
  ASSIGN(Tensor fresh, convert(call.input(input), ir::kElement<T>));
  const HeadRows<T> rows = head_rows(s, fresh.values<T>());
  ASSIGN(const std::span<T> all, call.make<T>(output, {s.batch, s.heads, past + s.length, s.size}));
  HeadRows<T> before{{}, rows.batch, rows.heads, static_cast<std::size_t>(past), rows.size};
  ASSIGN(const Tensor kept,
         convert(call.input(past_input),
                 call.has_input(past_input) ? ir::kElement<T> : ElementType::kUndefined));
  if (call.has_input(past_input)) before.values = kept.values<T>();
  auto to = all.begin();
  for (std::size_t b = 0; b < rows.batch; ++b) {
    for (std::size_t h = 0; h < rows.heads; ++h) {
      for (std::size_t i = 0; i < before.length + rows.length; ++i) {
        const auto row = i < before.length ? before(b, h, i) : rows(b, h, i - before.length);
        to = std::copy(row.begin(), row.end(), to);
      }
    }
  }
  return HeadRows<T>{all, rows.batch, rows.heads, before.length + rows.length, rows.size};
}

// What is added to the scores: minus infinity where a query may not look at a key.
template <class T>
class Bias {
 public:
  static Result<Bias> of(const Call& call, const Setting& s) {
    Bias out(s);
    if (!call.has_input(kMask)) return out;
    const Tensor& mask = call.input(kMask);
    out.is_truth_ = mask.type() == ElementType::kBool;
    ASSIGN(out.mask_, convert(mask, ir::kElement<T>));
    Sizes dims = mask.dims();
    const Sizes all = {s.q.batch, s.q.heads, s.q.length, s.total};
    if (dims.empty()) dims = {1};
    out.keys_ = dims.back();
    // Keys behind a mask that is too short are not looked at.
    const Sizes covered = {all[0], all[1], all[2], out.keys_};
    const bool fits =
        dims.size() <= 4 && out.keys_ <= s.total && broadcast(dims, covered) == covered;
    if (!fits) return refuse_shapes(call, mask.dims(), all);
    out.steps_ = broadcast_strides(dims, covered);
    return out;
  }

  T operator()(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
    const auto key = static_cast<std::int64_t>(j);
    if (!setting_.allows(b, static_cast<std::int64_t>(i), key)) return kNever;
    if (steps_.empty()) return 0;
    if (key >= keys_) return kNever;
    const std::int64_t at = static_cast<std::int64_t>(b) * steps_[0] +
                            static_cast<std::int64_t>(h) * steps_[1] +
                            static_cast<std::int64_t>(i) * steps_[2] + key * steps_[3];
    const T value = mask_.template values<T>()[static_cast<std::size_t>(at)];
    if (is_truth_) return value != 0 ? T(0) : kNever;
    return value;
  }

 private:
  explicit Bias(const Setting& s) : setting_(s) {}
  static constexpr T kNever = -std::numeric_limits<T>::infinity();
  Setting setting_;
  Tensor mask_{};
  bool is_truth_ = false;
  std::int64_t keys_ = 0;
  std::vector<std::int64_t> steps_{};  // empty: no mask
};

// The probabilities of one query, computed in the precision that the node asks for.
template <class T>
Status softmax_as(ElementType type, std::span<T> row) {
  const bool is_narrow = type == ElementType::kFloat16 || type == ElementType::kBfloat16;
  const bool rounds = std::is_same_v<T, float> && is_narrow;
  if (!rounds && type != ElementType::kDouble) {
    softmax_row(row);
    return {};
  }
  const auto through = [&](ElementType via, ElementType to) -> Result<Tensor> {
    ASSIGN(const Tensor cut, convert(Tensor::of<T>({static_cast<std::int64_t>(row.size())},
                                                   std::vector<T>(row.begin(), row.end())),
                                     via));
    return convert(cut, to);
  };
  ASSIGN(const Tensor exact, through(type, ElementType::kDouble));
  const auto values = exact.values<double>();
  std::vector<double> wide(values.begin(), values.end());
  softmax_row(std::span(wide));
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<T>(wide[j]);
  if (!rounds) return {};
  ASSIGN(const Tensor rounded, through(type, ir::kElement<T>));
  std::copy_n(rounded.values<T>().begin(), row.size(), row.begin());
  return {};
}

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const Setting s, read(call));
  const HeadRows<T> q = head_rows(s.q, call.values<T>(kQ));
  ASSIGN(const HeadRows<T> k, cache<T>(call, kPresentKey, s.k, kK, kPastKey, s.past));
  ASSIGN(const HeadRows<T> v, cache<T>(call, kPresentValue, s.v, kV, kPastValue, s.past));
  ASSIGN(const Bias<T> bias, Bias<T>::of(call, s));
  const T scale = call.has("scale") ? static_cast<T>(call.number("scale"))
                                    : 1 / std::sqrt(static_cast<T>(q.size));
  const T cap = static_cast<T>(call.number("softcap"));
  ASSIGN(const std::span<T> shown,
         call.make<T>(kScores, {s.q.batch, s.q.heads, s.q.length, s.total}));
  ASSIGN(const std::span<T> y,
         call.make<T>(kY, s.q.is_packed ? Sizes{s.q.batch, s.q.length, s.q.heads * s.v.size}
                                        : Sizes{s.q.batch, s.q.heads, s.q.length, s.v.size}));
  const HeadRows<T> made{y, q.batch, q.heads, q.length, v.size, s.q.is_packed};
  const std::size_t sharing = k.heads ? q.heads / k.heads : 1;
  std::vector<T> row(k.length);
  auto show = shown.begin();
  for (std::size_t head = 0; head < q.batch * q.heads; ++head) {
    const std::size_t b = head / q.heads, h = head % q.heads, of = h / sharing;
    for (std::size_t i = 0; i < q.length; ++i, show += static_cast<std::ptrdiff_t>(k.length)) {
      bool sees_any = false;
      for (std::size_t j = 0; j < k.length; ++j) {
        const T raw = score(q(b, h, i), k(b, of, j), std::sqrt(scale));
        const T capped = cap > 0 ? cap * std::tanh(raw / cap) : raw;
        const T add = bias(b, h, i, j);
        row[j] = capped + add;
        sees_any |= add != -std::numeric_limits<T>::infinity();
        show[static_cast<std::ptrdiff_t>(j)] = s.shown == Shown::kRaw      ? raw
                                               : s.shown == Shown::kCapped ? capped
                                                                           : row[j];
      }
      if (sees_any) TRY(softmax_as(s.softmax_type, std::span(row)));
      if (!sees_any) std::fill(row.begin(), row.end(), T(0));
      if (s.shown == Shown::kProbabilities) std::copy(row.begin(), row.end(), show);
      const auto at = static_cast<std::size_t>(made(b, h, i).data() - y.data());
      add_weighted<T>(row, v, b, of, y.subspan(at, v.size));
    }
  }
  return {};
}

// Two products of every query with every key and value.
Dim flop(const Inference& n) {
  const auto q = heads_of(n, kQ, "q_num_heads"), k = heads_of(n, kK, "kv_num_heads"),
             v = heads_of(n, kV, "kv_num_heads");
  if (!q || !k || !v) return Dim::unknown();
  return Dim(2) * (*q)[0] * (*q)[1] * (*q)[2] * (*k)[2] * ((*q)[3] + (*v)[3]);
}

}  // namespace

extern const Operator attention = {
    .name = "Attention",
    .doc = "Scaled dot-product attention over heads, with masks and a cache of keys and values.",
    .since = 23,
    .inputs = {{"Q", 'T', kFloats},
               {"K", 'T', kFloats},
               {"V", 'V', kFloats},
               {"attn_mask", 'U', kNumbers | kBool, kOptional},
               {"past_key", 'T', kFloats, kOptional},
               {"past_value", 'V', kFloats, kOptional},
               {.name = "nonpad_kv_seqlen",
                .variable = 'I',
                .types = kInt64,
                .kind = kOptional,
                .since = 24}},
    .outputs = {{"Y", 'T', kFloats},
                {"present_key", 'T', kFloats, kOptional},
                {"present_value", 'V', kFloats, kOptional},
                {"qk_matmul_output", 'T', kFloats, kOptional}},
    .attributes = {{"is_causal", 0},
                   {"kv_num_heads"},
                   {.name = "left_window_size", .fallback = -1, .since = 25},
                   {"q_num_heads"},
                   {"qk_matmul_output_mode", 0},
                   {.name = "right_window_size", .fallback = -1, .since = 25},
                   {"scale"},
                   {"softcap", 0.0F},
                   {"softmax_precision"}},
    .numerics = Numerics::kSoftmax,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand_attention,
    .flop = flop,
};

}  // namespace godwit::ops::operators
