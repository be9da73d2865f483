// Turns pairs of elements of each head by angles of their position (arXiv 2104.09864).
#include <limits>

#include "ops/attention.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {
namespace {

// Row of the caches for each member of the batch and each position.
Result<std::vector<std::size_t>> cache_rows(const Call& call, const HeadSizes& x,
                                            std::int64_t half) {
  std::vector<std::size_t> out;
  if (!call.has_input(3)) {
    TRY(expect_sizes(call, 1, {x.batch, x.length, half}));
    for (std::int64_t i = 0; i < x.batch * x.length; ++i)
      out.push_back(static_cast<std::size_t>(i));
    return out;
  }
  TRY(expect_rank(call, 1, 2));
  const std::int64_t rows = call.input(1).dims()[0];
  TRY(expect_sizes(call, 1, {rows, half}));
  TRY(expect_sizes(call, 3, {x.batch, x.length}));
  ASSIGN(const Ints positions, call.integers(3));
  for (const std::int64_t position : positions) {
    if (position < -rows || position >= rows) return refuse_index(call, position, rows);
    out.push_back(static_cast<std::size_t>(position < 0 ? position + rows : position));
  }
  return out;
}

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const HeadSizes x_sizes, read_heads(call, 0, "num_heads"));
  const std::int64_t given = call.integer("rotary_embedding_dim");
  const std::int64_t turned = given == 0 ? x_sizes.size : given;
  if (turned < 0 || turned > x_sizes.size || turned % 2)
    return refuse_attribute(call, "rotary_embedding_dim");
  ASSIGN(const std::vector<std::size_t> rows, cache_rows(call, x_sizes, turned / 2));
  TRY(expect_sizes(call, 2, call.input(1).dims()));

  const HeadRows<T> x = head_rows(x_sizes, call.values<T>(0));
  const std::span<const T> cosines = call.values<T>(1), sines = call.values<T>(2);
  ASSIGN(const std::span<T> y, call.make<T>(0, call.input(0).dims()));
  std::copy(x.values.begin(), x.values.end(), y.begin());
  const auto half = static_cast<std::size_t>(turned / 2);
  const bool interleaved = call.flag("interleaved");
  for (std::size_t at = 0; at < x.batch * x.heads * x.length; ++at) {
    const std::size_t i = at % x.length, h = at / x.length % x.heads, b = at / x.length / x.heads;
    const std::span<const T> from = x(b, h, i);
    const std::span<T> to = y.subspan(static_cast<std::size_t>(from.data() - x.values.data()));
    const std::size_t row = rows[b * x.length + i] * half;
    for (std::size_t d = 0; d < half; ++d) {
      const std::size_t first = interleaved ? 2 * d : d,
                        second = interleaved ? first + 1 : d + half;
      const T cosine = cosines[row + d], sine = sines[row + d];
      to[first] = cosine * from[first] - sine * from[second];
      to[second] = sine * from[first] + cosine * from[second];
    }
  }
  return {};
}

// [batch, length, heads, size] of the input in both of its layouts.
Result<Term> by_position(Expansion& e, const Term& x, std::size_t rank) {
  if (rank == 4) return x.transposed({0, 2, 1, 3});
  const std::int64_t heads = e.integer("num_heads");
  if (heads < 1) return refuse_attribute(e, "num_heads");
  return x.reshaped(e.indices({0, 0, heads, -1}));
}

Status expand(Expansion& e) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  ASSIGN(const Term input, term(e, 0));
  ASSIGN(const std::size_t rank, e.known_rank(0));
  ASSIGN(const Term x, by_position(e, input, rank));
  const std::optional<Shape>& shape = e.type_of(x).shape;
  const Dim size = shape && shape->size() == 4 ? (*shape)[3] : Dim::unknown();
  const std::int64_t given = e.integer("rotary_embedding_dim");
  if (!given && !size.is_known()) return e.refuse("unknown_rank", {{"input", "0"}});
  const std::int64_t turned = given ? given : size.value(), half = turned / 2;

  const auto angles = [&](std::size_t cache) {
    const bool is_chosen = e.has_input(3);
    const ValueId rows = is_chosen ? e.add("Gather", {e.input(cache), e.input(3)}) : e.input(cache);
    return Term(e, e.add("Unsqueeze", {rows, e.indices({2})}), x.type());
  };
  const Term cosine = angles(1), sine = angles(2);
  const bool interleaved = e.flag("interleaved");
  const Term a = interleaved ? x.slice(3, 0, turned, 2) : x.slice(3, 0, half);
  const Term b = interleaved ? x.slice(3, 1, turned, 2) : x.slice(3, half, turned);
  Term first = cosine * a - sine * b, second = sine * a + cosine * b;
  if (interleaved) {
    first = first.then("Unsqueeze", {e.indices({4})});
    second = second.then("Unsqueeze", {e.indices({4})});
  }
  Term y = first.then("Concat", {second}, {{"axis", std::int64_t{-1}}});
  if (interleaved) y = y.reshaped(e.indices({0, 0, 0, turned}));
  if (!size.is(turned))
    y = y.then("Concat", {x.slice(3, turned, kEnd)}, {{"axis", std::int64_t{-1}}});
  e.set_output(0,
               rank == 4 ? y.transposed({0, 2, 1, 3}) : y.reshaped(e.add("Shape", {e.input(0)})));
  return {};
}

}  // namespace

extern const Operator rotary_embedding = {
    .name = "RotaryEmbedding",
    .doc = "Rotary position embedding: turns pairs of elements by angles of their position.",
    .since = 23,
    .inputs = {{"X", 'T', kSingles},
               {"cos_cache", 'T', kSingles},
               {"sin_cache", 'T', kSingles},
               {"position_ids", 'M', kInt64, kOptional}},
    .outputs = {{"Y", 'T', kSingles}},
    .attributes = {{"interleaved", 0}, {"num_heads"}, {"rotary_embedding_dim", 0}},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand,
    .flop = flop_per_output<3>,
};

}  // namespace godwit::ops::operators
