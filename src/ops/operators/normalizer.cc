// Scales each row by its largest element, its sum, or its length.
#include <algorithm>
#include <cmath>

#include "ops/expect.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

double divisor(std::string_view norm, std::span<const double> row) {
  double out = norm == "MAX" && !row.empty() ? row[0] : 0;
  for (const double x : row) {
    if (norm == "MAX")
      out = std::max(out, x);
    else
      out += norm == "L1" ? std::fabs(x) : x * x;
  }
  return norm == "L2" ? std::sqrt(out) : out;
}

Status evaluate(Call& call) {
  const std::string_view norm = call.text("norm");
  if (norm != "MAX" && norm != "L1" && norm != "L2") return refuse_attribute(call, "norm");
  ASSIGN(const ml::Rows rows, ml::rows_of(call));
  ASSIGN(const std::span<float> y, call.make<float>(0, call.input(0).dims()));
  for (std::size_t row = 0; row < rows.count; ++row) {
    const double by = divisor(norm, rows[row]);
    for (std::size_t i = 0; i < rows.width; ++i)
      y[row * rows.width + i] = static_cast<float>(by == 0 ? rows[row][i] : rows[row][i] / by);
  }
  return {};
}

}  // namespace

extern const Operator normalizer = {
    .name = "Normalizer",
    .domain = ml::kDomain,
    .doc = "Each row divided by its maximum, its sum of absolute values, or its length.",
    .inputs = {{"X", 'T', ml::kFeatures}},
    .outputs = {{"Y", 'U', kFloat}},
    .attributes = {{"norm", "MAX"}},
    .numerics = Numerics::kNormalization,
    .infer = [](Inference& n) -> Status {
      Type type = n.type(0);
      type.element = ElementType::kFloat;
      n.set(0, std::move(type));
      return {};
    },
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
