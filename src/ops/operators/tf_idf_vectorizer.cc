// Counts n-grams of a row, also such that skip tokens, and weighs them.
#include <algorithm>
#include <map>

#include "ops/call.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// An n-gram of the pool: where it counts, and what its count is worth.
struct Gram {
  std::size_t column;
  float weight;
};
template <class T>
using Pool = std::map<std::vector<T>, Gram>;

std::int64_t columns(const Site& site) {
  std::int64_t most = -1;
  for (const std::int64_t index : site.integers("ngram_indexes")) most = std::max(most, index);
  return most < 0 || most > (std::int64_t{1} << 40) ? 0 : most + 1;
}

Status infer(Inference& n) {
  if (!n.shape(0)) {
    n.set(0, ElementType::kFloat, std::nullopt);
    return {};
  }
  Shape shape = *n.shape(0);
  if (shape.empty()) shape = {1};
  shape.back() = columns(n);
  n.set(0, ElementType::kFloat, std::move(shape));
  return {};
}

// The pool lies in one list: all 1-grams, all 2-grams and so on; ngram_counts says where each kind
// starts.
template <class T>
Result<Pool<T>> pool_of(const Site& site, const std::vector<T>& tokens) {
  const Ints starts = site.integers("ngram_counts"), places = site.integers("ngram_indexes");
  const Floats weights = site.numbers("weights");
  if (!weights.empty() && weights.size() != places.size()) return refuse_attribute(site, "weights");
  Pool<T> out;
  std::size_t gram = 0;
  for (std::size_t kind = 0; kind < starts.size(); ++kind) {
    const auto all = static_cast<std::int64_t>(tokens.size());
    const std::int64_t end = kind + 1 < starts.size() ? starts[kind + 1] : all;
    const auto length = static_cast<std::int64_t>(kind) + 1;
    if (starts[kind] < 0 || end < starts[kind] || end > all || (end - starts[kind]) % length)
      return refuse_attribute(site, "ngram_counts");
    for (std::int64_t at = starts[kind]; at < end; at += length, ++gram) {
      if (gram >= places.size() || places[gram] < 0 || places[gram] >= columns(site))
        return refuse_attribute(site, "ngram_indexes");
      out[{tokens.begin() + at, tokens.begin() + at + length}] = {
          static_cast<std::size_t>(places[gram]), weights.empty() ? 1.0f : weights[gram]};
    }
  }
  return out;
}

struct Lengths {
  std::size_t least, most, skips;
};

Result<Lengths> lengths_of(const Site& site) {
  const std::int64_t least = site.integer("min_gram_length"),
                     most = site.integer("max_gram_length"), skips = site.integer("max_skip_count");
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  if (least < 1) return refuse_attribute(site, "min_gram_length");
  if (most < least || most > kMost) return refuse_attribute(site, "max_gram_length");
  if (skips < 0 || skips > kMost) return refuse_attribute(site, "max_skip_count");
  return Lengths{static_cast<std::size_t>(least), static_cast<std::size_t>(most),
                 static_cast<std::size_t>(skips)};
}

void add(float& count, float weight, std::string_view mode) {
  if (mode == "IDF")
    count = weight;  // once, however often it comes
  else
    count += mode == "TF" ? 1 : weight;
}

// Adds up the n-grams of one row; between their tokens lie 0 to `skips` others, always as many.
template <class T>
void count_grams(std::span<const T> row, const Pool<T>& pool, const Lengths& lengths,
                 std::string_view mode, std::span<float> counts) {
  for (std::size_t length = lengths.least; length <= std::min(lengths.most, row.size()); ++length) {
    // A single token has nothing in between.
    const std::size_t most_skips = length == 1 ? 0 : lengths.skips;
    for (std::size_t step = 1; step <= most_skips + 1; ++step) {
      for (std::size_t at = 0; at + (length - 1) * step < row.size(); ++at) {
        std::vector<T> gram;
        for (std::size_t i = 0; i < length; ++i) gram.push_back(row[at + i * step]);
        if (const auto found = pool.find(gram); found != pool.end())
          add(counts[found->second.column], found->second.weight, mode);
      }
      if ((length - 1) * step >= row.size()) break;
    }
  }
}

template <class T, class Token>
Status vectorize(Call& call, const std::vector<Token>& tokens) {
  const std::string_view mode = call.text("mode");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") return refuse_attribute(call, "mode");
  const Sizes& dims = call.input(0).dims();
  if (dims.size() > 2) return expect_rank(call, 0, 2);
  ASSIGN(const Lengths lengths, lengths_of(call));
  ASSIGN(const Pool<Token> pool, pool_of(call, tokens));
  const std::span<const T> x = call.values<T>(0);
  const std::vector<Token> row_tokens(x.begin(), x.end());
  const auto width = static_cast<std::size_t>(columns(call));
  const std::int64_t rows = dims.size() == 2 ? dims[0] : 1;
  Sizes out = {static_cast<std::int64_t>(width)};
  if (dims.size() == 2) out.insert(out.begin(), rows);
  ASSIGN(const std::span<float> y, call.make<float>(0, std::move(out)));
  const std::size_t length = rows ? x.size() / static_cast<std::size_t>(rows) : 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const std::span<float> counts = y.subspan(row * width, width);
    count_grams<Token>(std::span(row_tokens).subspan(row * length, length), pool, lengths, mode,
                       counts);
  }
  return {};
}

}  // namespace

extern const Operator tf_idf_vectorizer = {
    .name = "TfIdfVectorizer",
    .doc = "Counts of the n-grams of a pool in each row, weighed by the mode.",
    .since = 9,
    .inputs = {{"X", 'T', kIndices | kString}},
    .outputs = {{"Y", 'U', kFloat}},
    .attributes = {{"max_gram_length", kMustBeThere},
                   {"max_skip_count", kMustBeThere},
                   {"min_gram_length", kMustBeThere},
                   {"mode", kMustBeThere},
                   {"ngram_counts", kMustBeThere},
                   {"ngram_indexes", kMustBeThere},
                   {"pool_int64s"},
                   {"pool_strings"},
                   {"weights"}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = by_type(Types<std::int32_t, std::int64_t, std::string>(),
                        []<class T>(Call& call) -> Status {
                          if constexpr (std::is_same_v<T, std::string>)
                            return vectorize<T>(call, call.texts("pool_strings"));
                          else
                            return vectorize<T>(call, call.integers("pool_int64s"));
                        }),
};

}  // namespace godwit::ops::operators
