// Pools regions of an image at points between its elements (Mask R-CNN).
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const auto axis = [&](std::size_t input, std::size_t at, std::size_t rank) {
    return n.shape(input) && n.shape(input)->size() == rank ? (*n.shape(input))[at]
                                                            : Dim::unknown();
  };
  const Dim regions = n.shape(2) ? axis(2, 0, 1) : axis(1, 0, 2);
  n.set(0, n.element(0),
        Shape{regions, axis(0, 1, 4), n.integer("output_height"), n.integer("output_width")});
  return {};
}

// The two neighbours of a point on an axis and their weights; all zero outside the image.
template <class T>
struct Neighbours {
  std::array<std::size_t, 2> places{};
  std::array<T, 2> weights{};
};
template <class T>
Neighbours<T> neighbours(T x, std::int64_t size) {
  if (!(x >= -1 && x <= static_cast<T>(size))) return {};
  x = std::clamp<T>(x, 0, static_cast<T>(size - 1));
  const auto low = static_cast<std::size_t>(x);
  const std::size_t high = std::min(low + 1, static_cast<std::size_t>(size - 1));
  const T part = x - static_cast<T>(low);
  return {{low, high}, {1 - part, part}};
}

// The points of a region along one axis: `each` for every cell of the output.
template <class T>
struct Samples {
  std::size_t each = 0;
  std::vector<Neighbours<T>> points;
};
constexpr double kMostSamples = 1 << 20;  // of an axis: a region beyond it is no region of an image

template <class T>
Result<Samples<T>> samples(const Call& call, T from, T to, std::int64_t cells, std::int64_t size) {
  const bool is_shifted = call.text("coordinate_transformation_mode") == "half_pixel";
  const T scale = static_cast<T>(call.number("spatial_scale")), shift = is_shifted ? T(0.5) : 0;
  const T start = from * scale - shift;
  T length = to * scale - shift - start;
  if (!is_shifted) length = std::max<T>(length, 1);
  const T cell = length / static_cast<T>(cells);
  const std::int64_t ratio = call.integer("sampling_ratio");
  const T each = ratio > 0 ? static_cast<T>(ratio) : std::max<T>(std::ceil(cell), 0);
  if (!(static_cast<double>(each) * static_cast<double>(cells) <= kMostSamples))
    return call.refuse("region", {{"length", format("{}", length)}});
  Samples<T> out{static_cast<std::size_t>(each), {}};
  for (std::int64_t i = 0; i < cells; ++i) {
    for (std::size_t s = 0; s < out.each; ++s) {
      const T place = (static_cast<T>(s) + T(0.5)) * cell / each;
      out.points.push_back(neighbours(start + static_cast<T>(i) * cell + place, size));
    }
  }
  return out;
}

// The four elements around a point, weighted: their sum is the interpolation. The mode "max" takes
// the largest of the four instead, as the operator has done since its first version.
template <class T>
T sample(std::span<const T> plane, std::size_t width, const Neighbours<T>& h,
         const Neighbours<T>& w, bool is_max) {
  T sum = 0, top = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const T part =
        h.weights[i / 2] * w.weights[i % 2] * plane[h.places[i / 2] * width + w.places[i % 2]];
    sum += part;
    top = i == 0 ? part : std::max(top, part);
  }
  return is_max ? top : sum;
}

template <class T>
T pool(std::span<const T> plane, std::size_t width, std::span<const Neighbours<T>> rows,
       std::span<const Neighbours<T>> columns, bool is_max) {
  T sum = 0, top = 0;
  bool is_first = true;
  for (const Neighbours<T>& h : rows) {
    for (const Neighbours<T>& w : columns) {
      const T value = sample(plane, width, h, w, is_max);
      sum += value;
      top = is_first ? value : std::max(top, value);
      is_first = false;
    }
  }
  const std::size_t count = std::max<std::size_t>(1, rows.size() * columns.size());
  return is_max ? top : sum / static_cast<T>(count);
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank(call, 0, 4));
  const Sizes& dims = call.input(0).dims();
  const std::int64_t regions = call.input(2).count();
  TRY(expect_sizes(call, 1, {regions, 4}));
  const std::int64_t rows = call.integer("output_height"), columns = call.integer("output_width");
  const std::string_view mode = call.text("mode");
  if (rows < 1) return refuse_attribute(call, "output_height");
  if (columns < 1) return refuse_attribute(call, "output_width");
  if (mode != "avg" && mode != "max") return refuse_attribute(call, "mode");
  ASSIGN(const Ints batch, call.integers(2));
  const std::span<const T> x = call.values<T>(0), rois = call.values<T>(1);
  const auto volume = static_cast<std::size_t>(dims[2] * dims[3]);
  if (volume == 0) return refuse_empty(call, dims);
  ASSIGN(const std::span<T> y, call.make<T>(0, {regions, dims[1], rows, columns}));
  std::size_t to = 0;
  for (std::size_t r = 0; r < batch.size(); ++r) {
    if (batch[r] < 0 || batch[r] >= dims[0]) {
      return refuse_index(call, batch[r], dims[0]);
    }
    const std::span<const T> roi = rois.subspan(r * 4, 4);
    ASSIGN(const Samples<T> h, samples(call, roi[1], roi[3], rows, dims[2]));
    ASSIGN(const Samples<T> w, samples(call, roi[0], roi[2], columns, dims[3]));
    for (std::int64_t c = 0; c < dims[1]; ++c) {
      const auto plane = static_cast<std::size_t>(batch[r] * dims[1] + c);
      for (std::int64_t i = 0; i < rows * columns; ++i) {
        const auto row = static_cast<std::size_t>(i / columns) * h.each;
        const auto column = static_cast<std::size_t>(i % columns) * w.each;
        y[to++] = pool<T>(x.subspan(plane * volume, volume), static_cast<std::size_t>(dims[3]),
                          std::span(h.points).subspan(row, h.each),
                          std::span(w.points).subspan(column, w.each), mode == "max");
      }
    }
  }
  return {};
}

}  // namespace

extern const Operator roi_align = {
    .name = "RoiAlign",
    .doc = "Pools regions of an image at points interpolated between its elements.",
    .since = 10,
    .inputs = {{"X", 'T', floats(22)}, {"rois", 'T', floats(22)}, {"batch_indices", 'I', kInt64}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{.name = "coordinate_transformation_mode",
                    .fallback = "half_pixel",
                    .since = 16},
                   {"mode", "avg"},
                   {"output_height", 1},
                   {"output_width", 1},
                   {"sampling_ratio", 0},
                   {"spatial_scale", 1.0F}},
    .revisions = {22},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
