// The best boxes of each class, without those that overlap a better one too much.
#include <algorithm>
#include <limits>
#include <numeric>

#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  n.set(0, ElementType::kInt64, Shape{Dim::unknown(), 3});
  return {};
}

struct Box {
  double top, left, bottom, right;
  double area() const { return (bottom - top) * (right - left); }
};

template <class T>
Box read_box(std::span<const T> x, bool by_center) {
  const double a = static_cast<double>(x[0]), b = static_cast<double>(x[1]),
               c = static_cast<double>(x[2]), d = static_cast<double>(x[3]);
  if (by_center) return {b - d / 2, a - c / 2, b + d / 2, a + c / 2};
  return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
}

// Area of the intersection over area of the union.
double overlap(const Box& a, const Box& b) {
  const Box both{std::max(a.top, b.top), std::max(a.left, b.left), std::min(a.bottom, b.bottom),
                 std::min(a.right, b.right)};
  const bool meet = both.top < both.bottom && both.left < both.right;
  if (!meet || a.area() <= 0 || b.area() <= 0) return 0;
  return both.area() / (a.area() + b.area() - both.area());
}

struct Limits {
  double most = 0, overlap = 0, score = -std::numeric_limits<double>::infinity();
};
Result<Limits> read_limits(const Call& call) {
  Limits out;
  double* const places[] = {&out.most, &out.overlap, &out.score};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!call.has_input(i + 2) || call.input(i + 2).empty()) continue;
    ASSIGN(*places[i], call.scalar(i + 2));
  }
  return out;
}

// Indices of the boxes to keep, best first; of equal scores the first.
template <class T>
std::vector<std::size_t> select(std::span<const Box> boxes, std::span<const T> scores,
                                const Limits& limits) {
  std::vector<std::size_t> order, kept;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (static_cast<double>(scores[i]) > limits.score) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  for (const std::size_t candidate : order) {
    if (static_cast<double>(kept.size()) >= limits.most) break;
    const bool is_free = std::none_of(kept.begin(), kept.end(), [&](std::size_t better) {
      return overlap(boxes[better], boxes[candidate]) > limits.overlap;
    });
    if (is_free) kept.push_back(candidate);
  }
  return kept;
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 3));
  TRY(expect_rank(call, 1, 3));
  const std::int64_t batch = call.input(0).dims()[0], count = call.input(0).dims()[1];
  const std::int64_t classes = call.input(1).dims()[1];
  TRY(expect_sizes(call, 0, {batch, count, 4}));
  TRY(expect_sizes(call, 1, {batch, classes, count}));
  ASSIGN(const Limits limits, read_limits(call));
  const std::span<const T> values = call.values<T>(0), scores = call.values<T>(1);
  const auto each = static_cast<std::size_t>(count);
  std::vector<std::int64_t> out;
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::size_t first = static_cast<std::size_t>(b) * each;
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < each; ++i)
      boxes.push_back(read_box(values.subspan((first + i) * 4, 4), call.flag("center_point_box")));
    for (std::int64_t c = 0; c < classes; ++c) {
      const auto row = static_cast<std::size_t>(b * classes + c);
      for (const std::size_t i : select<T>(boxes, scores.subspan(row * each, each), limits))
        out.insert(out.end(), {b, c, static_cast<std::int64_t>(i)});
    }
  }
  const auto rows = static_cast<std::int64_t>(out.size() / 3);
  call.set(0, Tensor::of<std::int64_t>({rows, 3}, std::move(out)));
  return {};
}

}  // namespace

extern const Operator non_max_suppression = {
    .name = "NonMaxSuppression",
    .doc = "The best boxes of each class, without those that overlap a better one too much.",
    .since = 10,
    .inputs = {{"boxes", 'F', kFloat},
               {"scores", 'F', kFloat},
               {"max_output_boxes_per_class", 'I', kInt64, kOptional},
               {"iou_threshold", 'F', kFloat, kOptional},
               {"score_threshold", 'F', kFloat, kOptional}},
    .outputs = {{"selected_indices", 'I', kInt64}},
    .attributes = {{"center_point_box", 0}},
    .revisions = {11},
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
