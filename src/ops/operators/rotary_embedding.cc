// Turns pairs of elements of each head by angles of their position (arXiv 2104.09864).
#include "ops/attention.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

constexpr TypeSet kSingles = kFloats - TypeSet{ElementType::kDouble};

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
    .flop = flop_per_output<3>,
};

}  // namespace godwit::ops::operators
