// Puts the features of several inputs side by side.
#include <algorithm>
#include <numeric>

#include "ops/expect.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

Dim width_of(const Inference& n) {
  const Ints widths = n.integers("inputdimensions");
  Dim out = 0;
  for (const std::int64_t width : widths) out = out + Dim(width);
  return out;
}

// Each input has its own number of columns in the output: what it has more is dropped, what it has
// less stays zero.
Status evaluate(Call& call) {
  const Ints widths = call.integers("inputdimensions");
  if (widths.size() != call.inputs()) return refuse_attribute(call, "inputdimensions");
  const Sizes& first = call.input(0).dims();
  const std::int64_t rows = first.size() > 1 ? first[0] : 1;
  std::int64_t total = 0;
  for (const std::int64_t width : widths) {
    if (width < 0 || __builtin_add_overflow(total, width, &total))
      return refuse_attribute(call, "inputdimensions");
  }
  ASSIGN(const std::span<float> y, call.make<float>(0, {rows, total}));
  std::size_t column = 0;
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    const Sizes& dims = call.input(i).dims();
    if (dims.empty() || (dims.size() > 1 ? dims[0] : 1) != rows)
      return refuse_shapes(call, first, dims);
    const std::vector<double> x = to_doubles(call.input(i)).value_or(std::vector<double>());
    const std::size_t have = rows ? x.size() / static_cast<std::size_t>(rows) : 0;
    const auto width = static_cast<std::size_t>(widths[i]);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      for (std::size_t k = 0; k < std::min(have, width); ++k)
        y[row * static_cast<std::size_t>(total) + column + k] =
            static_cast<float>(x[row * have + k]);
    }
    column += width;
  }
  return {};
}

}  // namespace

extern const Operator feature_vectorizer = {
    .name = "FeatureVectorizer",
    .domain = ml::kDomain,
    .doc = "The columns of all inputs side by side.",
    .inputs = {{"X", 'T', ml::kFeatures, kVariadic}},
    .outputs = {{"Y", 'U', kFloat}},
    .attributes = {{"inputdimensions"}},
    .infer = [](Inference& n) -> Status {
      n.set(0, ElementType::kFloat, Shape{ml::row_count(n), width_of(n)});
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
