// Determinants of square matrices, by elimination with the largest pivot of each column.
#include <cmath>

#include "ops/call.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0)) {
    shape = *n.shape(0);
    const std::size_t rank = shape->size();
    if (rank < 2) return n.refuse("rank", {{"rank", std::to_string(rank)}, {"expected", "2"}});
    const Dim rows = (*shape)[rank - 2], columns = shape->back();
    if (rows.is_known() && columns.is_known() && !(rows == columns))
      return n.refuse("shape", {{"a", rows.to_string()}, {"b", columns.to_string()}});
    shape->resize(rank - 2);
  }
  n.set(0, n.element(0), std::move(shape));
  return {};
}

double determinant(std::vector<double> m, std::size_t n) {
  double out = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < n; ++r) {
      if (std::fabs(m[r * n + k]) > std::fabs(m[pivot * n + k])) pivot = r;
    }
    if (m[pivot * n + k] == 0) return 0;
    if (pivot != k) {
      for (std::size_t c = 0; c < n; ++c) std::swap(m[k * n + c], m[pivot * n + c]);
      out = -out;
    }
    out *= m[k * n + k];
    for (std::size_t r = k + 1; r < n; ++r) {
      const double factor = m[r * n + k] / m[k * n + k];
      for (std::size_t c = k; c < n; ++c) m[r * n + c] -= factor * m[k * n + c];
    }
  }
  return out;
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  Sizes dims = call.input(0).dims();
  const std::size_t rank = dims.size();
  if (rank < 2 || dims[rank - 1] != dims[rank - 2])
    return call.refuse("shape", {{"a", ir::to_string(dims)}, {"b", "[…,M,M]"}});
  const auto n = static_cast<std::size_t>(dims.back());
  dims.resize(rank - 2);
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::span<const T> matrix = x.subspan(i * n * n, n * n);
    y[i] = static_cast<T>(determinant({matrix.begin(), matrix.end()}, n));
  }
  return {};
};

}  // namespace

extern const Operator det = {
    .name = "Det",
    .doc = "The determinant of each square matrix of a stack.",
    .since = 11,
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .revisions = {22},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = by_type(Reals(), evaluate),
};

}  // namespace godwit::ops::operators
