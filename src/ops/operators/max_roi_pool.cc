// The largest element in each cell of a grid laid over regions of an image (Fast R-CNN).
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const Ints cells = n.integers("pooled_shape");
  if (cells.size() != 2) return refuse_attribute(n, "pooled_shape");
  const auto axis = [&](std::size_t input, std::size_t at, std::size_t rank) {
    return n.shape(input) && n.shape(input)->size() == rank ? (*n.shape(input))[at]
                                                            : Dim::unknown();
  };
  n.set(0, n.element(0), Shape{axis(1, 0, 2), axis(0, 1, 4), cells[0], cells[1]});
  return {};
}

// The elements [first, last) of an axis of `size` that cell `i` of `cells` covers of a region.
struct Cell {
  std::size_t first, last;
};
template <class T>
Cell cell(T start, T end, std::int64_t i, std::int64_t cells, std::int64_t size) {
  const T bin = std::max<T>(end - start + 1, 1) / static_cast<T>(cells);
  const auto inside = [&](T x) {
    return static_cast<std::size_t>(std::clamp<T>(x + start, 0, static_cast<T>(size)));
  };
  return {inside(std::floor(static_cast<T>(i) * bin)),
          inside(std::ceil(static_cast<T>(i + 1) * bin))};
}

template <class T>
T largest(std::span<const T> plane, std::size_t width, Cell rows, Cell columns) {
  if (rows.first >= rows.last || columns.first >= columns.last) return 0;
  T top = plane[rows.first * width + columns.first];
  for (std::size_t h = rows.first; h < rows.last; ++h) {
    for (std::size_t w = columns.first; w < columns.last; ++w)
      top = std::max(top, plane[h * width + w]);
  }
  return top;
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 4));
  const Sizes& dims = call.input(0).dims();
  const std::int64_t regions = call.input(1).rank() ? call.input(1).dims()[0] : 0;
  TRY(expect_sizes(call, 1, {regions, 5}));
  const Ints cells = call.integers("pooled_shape");
  if (cells.size() != 2 || cells[0] < 1 || cells[1] < 1)
    return refuse_attribute(call, "pooled_shape");
  const std::span<const T> x = call.values<T>(0), rois = call.values<T>(1);
  const auto scale = static_cast<T>(call.number("spatial_scale"));
  const auto volume = static_cast<std::size_t>(dims[2] * dims[3]);
  ASSIGN(const std::span<T> y, call.make<T>(0, {regions, dims[1], cells[0], cells[1]}));
  std::size_t to = 0;
  for (std::int64_t r = 0; r < regions; ++r) {
    const std::span<const T> roi = rois.subspan(static_cast<std::size_t>(r) * 5, 5);
    if (!(roi[0] >= 0 && roi[0] < static_cast<T>(dims[0]))) {
      return call.refuse("index",
                         {{"index", format("{}", roi[0])}, {"size", format("{}", dims[0])}});
    }
    const auto edge = [&](std::size_t i) { return std::round(roi[i] * scale); };
    for (std::int64_t c = 0; c < dims[1]; ++c) {
      const auto plane = static_cast<std::size_t>(static_cast<std::int64_t>(roi[0]) * dims[1] + c);
      for (std::int64_t i = 0; i < cells[0] * cells[1]; ++i) {
        y[to++] = largest(x.subspan(plane * volume, volume), static_cast<std::size_t>(dims[3]),
                          cell(edge(2), edge(4), i / cells[1], cells[0], dims[2]),
                          cell(edge(1), edge(3), i % cells[1], cells[1], dims[3]));
      }
    }
  }
  return {};
}

}  // namespace

extern const Operator max_roi_pool = {
    .name = "MaxRoiPool",
    .doc = "The largest element in each cell of a grid over regions of interest.",
    .inputs = {{"X", 'T', floats(22)}, {"rois", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{"pooled_shape", kMustBeThere}, {"spatial_scale", 1.0F}},
    .revisions = {22},
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
