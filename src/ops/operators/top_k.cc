// The largest or smallest elements along an axis, and where they stand.
#include <algorithm>
#include <numeric>

#include "ops/arithmetic.h"
#include "ops/call.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0)) {
    shape = *n.shape(0);
    ASSIGN(const std::size_t axis, n.axis("axis", shape->size()));
    const auto k = n.content(1);
    (*shape)[axis] = Dim::unknown();
    if (n.opset() < 10) (*shape)[axis] = n.integer("k");
    if (k && k->size() == 1) (*shape)[axis] = k->front();
  }
  n.set(0, n.element(0), shape);
  n.set(1, ElementType::kInt64, shape);
  return {};
}

Result<std::size_t> read_k(const Call& call, std::int64_t size) {
  Ints k = {call.integer("k")};
  if (call.opset() >= 10) {
    ASSIGN(k, call.integers(1));
  }
  if (k.size() != 1 || k[0] < 0 || k[0] > size) {
    return call.refuse("index", {{"index", k.empty() ? "" : std::to_string(k[0])},
                                 {"size", std::to_string(size)}});
  }
  return static_cast<std::size_t>(k[0]);
}

// NaN counts as larger than every number; of equals the first one wins.
template <class T>
bool precedes(T a, T b, bool largest) {
  if (is_nan(a) || is_nan(b)) return largest ? is_nan(a) && !is_nan(b) : !is_nan(a) && is_nan(b);
  return largest ? a > b : a < b;
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
  ASSIGN(const std::size_t k, read_k(call, dims[axis]));
  Sizes kept = dims;
  kept[axis] = static_cast<std::int64_t>(k);
  const bool largest = call.opset() < 11 || call.flag("largest");
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> values, call.make<T>(0, kept));
  ASSIGN(const std::span<std::int64_t> indices, call.make<std::int64_t>(1, kept));
  const auto inner = static_cast<std::size_t>(product(dims, axis + 1, dims.size()));
  std::vector<std::size_t> order(static_cast<std::size_t>(dims[axis]));
  std::size_t lanes = 0;
  for_each_lane(dims, axis, [&](const Lane& lane) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto before = [&](std::size_t a, std::size_t b) {
      const T p = x[lane[a]], q = x[lane[b]];
      return precedes(p, q, largest) || (!precedes(q, p, largest) && a < b);
    };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(k);
    std::partial_sort(order.begin(), end, order.end(), before);
    const Lane out{lanes / inner * inner * k + lanes % inner, inner, k};
    ++lanes;
    for (std::size_t i = 0; i < k; ++i) {
      values[out[i]] = x[lane[order[i]]];
      indices[out[i]] = static_cast<std::int64_t>(order[i]);
    }
  });
  return {};
};

}  // namespace

extern const Operator top_k = {
    .name = "TopK",
    .doc = "The k largest or smallest elements along an axis, in order, with their indices.",
    .inputs = {{"X", 'T', floats(24) | since(11, kIntegers)},
               {.name = "K", .variable = 'K', .types = kInt64, .since = 10}},
    .outputs = {{"Values", 'T', floats(24) | since(11, kIntegers)}, {"Indices", 'I', kInt64}},
    .attributes = {{"axis", -1},
                   {.name = "k", .fallback = kMustBeThere, .until = 9},
                   {.name = "largest", .fallback = 1, .since = 11},
                   {.name = "sorted", .fallback = 1, .since = 11}},
    .revisions = {10, 11, 24},
    .infer = infer,
    .evaluate = by_type(Numbers(), evaluate),
};

}  // namespace godwit::ops::operators
