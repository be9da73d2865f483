// Attention as the standard defines it by other operators, with caches, masks, windows and a cap.
#include "ops/expand_attention.h"

#include <cmath>
#include <limits>
#include <optional>

#include "ops/expect.h"
#include "ops/term.h"

namespace godwit::ops {
namespace {

using namespace attention;

// [batch, heads, length, size], with the rows of the cache before it.
Result<Term> rows_of(Expansion& e, std::size_t input, std::string_view attribute,
                     std::size_t past) {
  ASSIGN(Term x, term(e, input));
  ASSIGN(const std::size_t rank, e.known_rank(input));
  if (rank == 3)
    x = x.reshaped(e.indices({0, 0, e.integer(attribute), -1})).transposed({0, 2, 1, 3});
  if (!e.has_input(past) || input == kQ) return x;
  return Term(e, e.input(past), x.type()).then("Concat", {x}, {{"axis", std::int64_t{2}}});
}

// Heads of keys that several heads of queries share, repeated.
Term shared(Expansion& e, const Term& x, std::int64_t heads, std::int64_t times) {
  if (times == 1) return x;
  const ValueId shape = e.join({e.indices({0, heads}), e.size(x, 2), e.size(x, 3)});
  return x.then("Unsqueeze", {e.indices({2})})
      .then("Tile", {e.indices({1, 1, times, 1, 1})})
      .reshaped(shape);
}

// Where a query may look at a key, as far as places decide; nothing when everywhere.
std::optional<ValueId> places(Expansion& e, const Term& q, const Term& k) {
  const auto column = [&](ValueId value, std::int64_t axis) {
    return e.add("Unsqueeze", {value, e.indices({axis})});
  };
  const auto range = [&](ValueId count) {
    return e.add("Range", {e.index(0), e.add("Squeeze", {count}), e.index(1)});
  };
  const bool is_causal = e.flag("is_causal"), has_windows = e.opset() >= 25;
  const std::int64_t left = has_windows ? e.integer("left_window_size") : -1;
  const std::int64_t right = has_windows ? e.integer("right_window_size") : -1;
  const bool is_open = !is_causal && left < 0 && right < 0;
  if (is_open && !e.has_input(kValidKeys)) return std::nullopt;
  const ValueId keys = range(e.size(k, 2));
  std::optional<ValueId> valid;  // [batch, 1, 1, keys]
  if (e.has_input(kValidKeys)) {
    const ValueId count = e.add("Unsqueeze", {e.input(kValidKeys), e.indices({1, 2, 3})});
    valid = e.add("Less", {keys, count});
  }
  if (is_open) return valid;
  ValueId here = column(range(e.size(q, 2)), 1);  // [queries, 1], behind the cache
  if (e.has_input(kPastKey)) here = e.add("Add", {here, e.size(e.input(kPastKey), 2)});
  if (valid) {
    const ValueId before = e.add("Sub", {e.input(kValidKeys), e.size(q, 2)});
    here = e.add("Add", {here, e.add("Unsqueeze", {before, e.indices({1, 2, 3})})});
  }
  std::optional<ValueId> allowed = valid;
  const auto require_order = [&](ValueId first, ValueId second) {
    const ValueId holds = e.add("Not", {e.add("Less", {second, first})});
    allowed = allowed ? e.add("And", {holds, *allowed}) : holds;
  };
  if (is_causal) require_order(keys, here);
  if (left >= 0) require_order(e.add("Sub", {here, e.index(left)}), keys);
  if (right >= 0) require_order(keys, e.add("Add", {here, e.index(right)}));
  return allowed;
}

// The mask as it is added or asked. Keys behind one that is too short are not looked at.
Term whole_mask(Expansion& e, const Term& scores, const Term& k) {
  const bool is_truth = e.element(kMask) == ElementType::kBool;
  const ElementType type = is_truth ? ElementType::kBool : scores.type();
  const Term mask(e, e.cast(e.input(kMask), type), type);
  const Shape& dims = *e.shape(kMask);
  const Dim keys = (*e.type_of(k).shape)[2];
  if (dims.empty() || dims.back() == keys) return mask;
  Ints pads(2 * dims.size(), 0);
  pads.back() = keys.value() - dims.back().value();
  const double never = is_truth ? 0 : -std::numeric_limits<double>::infinity();
  return mask.then("Pad", {e.indices(std::move(pads)), mask.number(never)});
}

Term masked(Expansion& e, Term scores, const Term& q, const Term& k) {
  const Term never = scores.number(-std::numeric_limits<double>::infinity());
  if (const std::optional<ValueId> allowed = places(e, q, k))
    scores = Term(e, e.add("Where", {*allowed, scores, never}), scores.type());
  if (!e.has_input(kMask)) return scores;
  const Term mask = whole_mask(e, scores, k);
  return mask.type() == ElementType::kBool ? mask.choose(scores, never) : scores + mask;
}

Status check_expandable(const Expansion& e, const Term& k) {
  if (!e.has_input(kMask)) return {};
  const Shape* const mask = e.shape(kMask);
  const std::optional<Shape>& keys = e.type_of(k).shape;
  const bool fits = mask && keys &&
                    (mask->empty() || mask->back() == (*keys)[2] ||
                     (mask->back().is_known() && (*keys)[2].is_known() &&
                      mask->back().value() <= (*keys)[2].value()));
  return fits ? Status() : e.refuse("unknown_rank", {{"input", "3"}});
}

}  // namespace

Status expand_attention(Expansion& e) {
  ASSIGN(const Term q, rows_of(e, kQ, "q_num_heads", kPastKey));
  ASSIGN(const Term k, rows_of(e, kK, "kv_num_heads", kPastKey));
  ASSIGN(const Term v, rows_of(e, kV, "kv_num_heads", kPastValue));
  e.set_output(kPresentKey, k);
  e.set_output(kPresentValue, v);
  TRY(check_expandable(e, k));
  const std::optional<Shape>&q_shape = e.type_of(q).shape, &k_shape = e.type_of(k).shape;
  const bool is_known = q_shape && k_shape && q_shape->size() == 4 && k_shape->size() == 4 &&
                        (*q_shape)[1].is_known() && (*k_shape)[1].is_known() &&
                        (*k_shape)[1].value() > 0 && (*q_shape)[3].is_known();
  if (!is_known) return e.refuse("unknown_rank", {{"input", "0"}});
  const std::int64_t heads = (*q_shape)[1].value(), times = heads / (*k_shape)[1].value();
  const double scale = e.has("scale") ? static_cast<double>(e.number("scale"))
                                      : 1 / std::sqrt(static_cast<double>((*q_shape)[3].value()));

  const Term keys = shared(e, k, heads, times).transposed({0, 1, 3, 2});
  const Term raw = (q * std::sqrt(scale)).then("MatMul", {keys * std::sqrt(scale)});
  const double cap = static_cast<double>(e.number("softcap"));
  const Term capped = cap > 0 ? (raw / cap).then("Tanh") * cap : raw;
  const Term biased = masked(e, capped, q, k);
  const std::int64_t precision = e.integer("softmax_precision");
  const Term exact = precision ? biased.as(static_cast<ElementType>(precision)) : biased;
  Term weights = exact.then("Softmax", {}, {{"axis", std::int64_t{-1}}}).as(q.type());
  // A query that may look at nothing: all its scores are minus infinity, and Softmax gives NaN.
  if (biased.value() != capped.value()) {
    const ValueId is_nan = e.add("IsNaN", {weights});
    weights = Term(e, e.add("Where", {is_nan, weights.number(0), weights}), q.type());
  }
  const Term* const shown[] = {&raw, &capped, &biased, &weights};
  e.set_output(kScores, *shown[e.integer("qk_matmul_output_mode") & 3]);
  const Term y = weights.as(v.type()).then("MatMul", {shared(e, v, heads, times)}).as(q.type());
  const bool is_packed = e.known_rank(kQ) == 3u;
  e.set_output(kY, is_packed ? y.transposed({0, 2, 1, 3}).reshaped(e.indices({0, 0, -1})) : y);
  return {};
}

}  // namespace godwit::ops
