// One at the largest value along an axis, zero elsewhere.
#include "ops/arithmetic.h"
#include "ops/inference.h"
#include "ops/softmax.h"

namespace godwit::ops::operators {
namespace {

constexpr auto mark = []<class T>(std::span<const T> x, std::span<T> y, const Lane& lane) {
  if (lane.count == 0) return;
  std::size_t top = 0;
  for (std::size_t i = 1; i < lane.count; ++i) {
    const T a = x[lane[i]], b = x[lane[top]];
    if (a > b || (is_nan(a) && !is_nan(b))) top = i;
  }
  y[lane[top]] = 1;
};

}  // namespace

extern const Operator hardmax = {
    .name = "Hardmax",
    .doc = "1 at the first maximum along one axis, else 0; NaN counts as the largest.",
    .inputs = {{"input", 'T', floats(13)}},
    .outputs = {{"output", 'T', floats(13)}},
    .attributes = {{.name = "axis", .fallback = 1, .until = 12},
                   {.name = "axis", .fallback = -1, .since = 13}},
    .revisions = {11, 13},
    .infer = same_as_first,
    .evaluate = along_axis(mark),
};

}  // namespace godwit::ops::operators
