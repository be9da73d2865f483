// The different elements or slices of a tensor, where each was first, and how often it came.
#include <algorithm>
#include <numeric>

#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

using Places = std::vector<std::size_t>;

Status infer(Inference& n) {
  std::optional<Shape> shape = Shape{Dim::unknown()};
  if (n.has("axis")) shape.reset();
  if (n.has("axis") && n.shape(0)) {
    ASSIGN(const std::size_t axis, n.axis("axis", n.shape(0)->size()));
    shape = *n.shape(0);
    (*shape)[axis] = Dim::unknown();
  }
  const Dim count = shape && !n.has("axis") ? shape->front() : Dim::unknown();
  n.set(0, n.element(0), std::move(shape));
  n.set(1, ElementType::kInt64, Shape{count});
  n.set(2, ElementType::kInt64, Shape{Dim::unknown()});
  n.set(3, ElementType::kInt64, Shape{count});
  return {};
}

// NaN comes last and equals itself.
template <class T>
bool before(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return a == a;
  }
  return a < b;
}

// Slices of a tensor along an axis, compared element by element; those of an empty tensor are all
// the same.
template <class T>
class Slices {
 public:
  Slices(std::span<const T> values, const Sizes& dims, std::size_t axis)
      : values_(values),
        outer_(static_cast<std::size_t>(product(dims, 0, axis))),
        length_(static_cast<std::size_t>(dims[axis])),
        inner_(static_cast<std::size_t>(product(dims, axis + 1, dims.size()))) {
    if (values.empty()) outer_ = 0;
  }
  std::size_t count() const { return length_; }
  bool operator()(std::size_t a, std::size_t b) const {
    for (std::size_t o = 0; o < outer_; ++o) {
      for (std::size_t i = 0; i < inner_; ++i) {
        const T& x = values_[(o * length_ + a) * inner_ + i];
        const T& y = values_[(o * length_ + b) * inner_ + i];
        if (before(x, y)) return true;
        if (before(y, x)) return false;
      }
    }
    return false;
  }

 private:
  std::span<const T> values_;
  std::size_t outer_, length_, inner_;
};

struct Groups {
  Places first;     // of each group, in the order that is asked for
  Places group_of;  // of each slice
  std::vector<std::int64_t> counts;
};

template <class T>
Groups groups_of(const Slices<T>& slices, bool is_sorted) {
  Places order(slices.count());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), slices);
  Groups out{{}, Places(order.size()), {}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || slices(order[i - 1], order[i])) {
      out.first.push_back(order[i]);
      out.counts.push_back(0);
    }
    out.group_of[order[i]] = out.first.size() - 1;
    ++out.counts.back();
  }
  if (is_sorted) return out;
  // In the order of their first appearance.
  Places rank(out.first.size()), place(out.first.size());
  std::iota(rank.begin(), rank.end(), 0);
  std::sort(rank.begin(), rank.end(),
            [&](std::size_t a, std::size_t b) { return out.first[a] < out.first[b]; });
  Groups sorted = out;
  for (std::size_t i = 0; i < rank.size(); ++i) {
    place[rank[i]] = i;
    sorted.first[i] = out.first[rank[i]];
    sorted.counts[i] = out.counts[rank[i]];
  }
  for (std::size_t& group : sorted.group_of) group = place[group];
  return sorted;
}

Tensor as_integers(const Places& places) {
  return Tensor::integers(std::vector<std::int64_t>(places.begin(), places.end()));
}

template <class T>
Status evaluate(Call& call) {
  const bool is_flat = !call.has("axis");
  const Tensor x = is_flat ? call.input(0).reshaped({call.input(0).count()}) : call.input(0);
  ASSIGN(const std::size_t axis, is_flat ? call.axis(0, 1) : call.axis("axis", x.rank()));
  const Groups groups = groups_of(Slices<T>(x.values<T>(), x.dims(), axis), call.flag("sorted"));
  Sizes dims = x.dims();
  dims[axis] = static_cast<std::int64_t>(groups.first.size());
  ASSIGN(Tensor values, taken(x, axis, groups.first, std::move(dims)));
  call.set(0, std::move(values));
  call.set(1, as_integers(groups.first));
  call.set(2, as_integers(groups.group_of));
  call.set(3, Tensor::integers(groups.counts));
  return {};
}

}  // namespace

extern const Operator unique = {
    .name = "Unique",
    .doc = "The different elements or slices, their first places, the inverse and the counts.",
    .since = 11,
    .inputs = {{"X", 'T', classic(28)}},
    .outputs = {{"Y", 'T', classic(28)},
                {"indices", 'I', kInt64, kOptional},
                {"inverse_indices", 'I', kInt64, kOptional},
                {"counts", 'I', kInt64, kOptional}},
    .attributes = {{"axis"}, {"sorted", 1}},
    .revisions = {28},
    .infer = infer,
    .evaluate = by_type(
        Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
              std::uint16_t, std::uint32_t, std::uint64_t, bool, std::string>(),
        []<class T>(Call& call) -> Status { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
