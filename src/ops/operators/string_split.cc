// Cuts strings at a delimiter.
#include <algorithm>

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

using Pieces = std::vector<std::string>;

constexpr std::string_view kBlanks = " \t\n\v\f\r";

// At runs of blanks, which leave no empty pieces; what is left after the last cut keeps its blanks.
Pieces split_at_blanks(std::string_view text, std::size_t most_cuts) {
  Pieces out;
  for (;;) {
    const std::size_t start = text.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) return out;
    text.remove_prefix(start);
    const std::size_t end = text.find_first_of(kBlanks);
    if (end == std::string_view::npos || out.size() == most_cuts) {
      const std::size_t last = text.find_last_not_of(kBlanks);
      out.emplace_back(text.substr(0, last + 1));
      return out;
    }
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

Pieces split_at(std::string_view text, std::string_view delimiter, std::size_t most_cuts) {
  Pieces out;
  std::size_t end = 0;
  while (out.size() < most_cuts && (end = text.find(delimiter)) != std::string_view::npos) {
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end + delimiter.size());
  }
  out.emplace_back(text);
  return out;
}

Status evaluate(Call& call) {
  const std::string_view delimiter = call.text("delimiter");
  const std::int64_t limit = call.has("maxsplit") ? call.integer("maxsplit") : -1;
  const std::size_t most_cuts =
      limit < 0 ? std::string_view::npos : static_cast<std::size_t>(limit);
  std::vector<Pieces> all;
  std::size_t most = 0;
  for (const std::string& text : call.values<std::string>(0)) {
    all.push_back(delimiter.empty() ? split_at_blanks(text, most_cuts)
                                    : split_at(text, delimiter, most_cuts));
    most = std::max(most, all.back().size());
  }
  Sizes dims = call.input(0).dims();
  ASSIGN(const std::span<std::int64_t> counts, call.make<std::int64_t>(1, dims));
  dims.push_back(static_cast<std::int64_t>(most));
  ASSIGN(const std::span<std::string> pieces, call.make<std::string>(0, std::move(dims)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    counts[i] = static_cast<std::int64_t>(all[i].size());
    std::copy(all[i].begin(), all[i].end(), pieces.subspan(i * most).begin());
  }
  return {};
}

}  // namespace

extern const Operator string_split = {
    .name = "StringSplit",
    .doc = "The pieces of each string, filled up with empty ones, and their number.",
    .since = 20,
    .inputs = {{"X", 'T', kString}},
    .outputs = {{"Y", 'T', kString}, {"Z", 'I', kInt64}},
    .attributes = {{"delimiter"}, {"maxsplit"}},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      std::optional<Shape> shape;
      if (n.shape(0)) shape = *n.shape(0);
      n.set(1, ElementType::kInt64, shape);
      if (shape) shape->push_back(Dim::unknown());
      n.set(0, ElementType::kString, std::move(shape));
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
