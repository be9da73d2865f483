// Pooling in two steps: the rows of a window fold into one, vector by vector, then its columns.
#include "kernels/pool.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/chunks.h"
#include "kernels/row_loops.h"

namespace godwit::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Taps of the window at output `at` that lie below `limit` positions after the first `skip`.
std::size_t taps_inside(const PoolShape& s, std::size_t axis, std::size_t at, std::size_t skip,
                        std::size_t limit) {
  std::size_t count = 0;
  for (std::size_t tap = 0; tap < s.kernel[axis]; ++tap) {
    const std::size_t place = at * s.stride[axis] + tap * s.dilation[axis];
    count += place >= skip && place - skip < limit ? 1 : 0;
  }
  return count;
}

// What an average divides by, as far as one axis decides it.
std::size_t counted(const PoolShape& s, std::size_t axis, std::size_t at) {
  if (!s.counts_padding) return taps_inside(s, axis, at, s.pad_begin[axis], s.in[axis]);
  return taps_inside(s, axis, at, 0, s.in[axis] + s.pad_begin[axis] + s.pad_end[axis]);
}

// One row of outputs; `row` is a folded row with its padding written out.
class RowPool {
 public:
  RowPool(const PoolShape& shape, Reduction reduction)
      : s_(shape),
        reduction_(reduction),
        start_(reduction == Reduction::kMaximum ? -kInfinity : 0.0f),
        row_(s_.pad_begin[2] + std::max(s_.in[2], reach()), start_) {}

  void run(const float* plane, std::size_t z, std::size_t y, float* out) {
    float* const inside = row_.data() + s_.pad_begin[2];
    std::fill_n(inside, s_.in[2], start_);
    for (std::size_t tap = 0; tap < s_.kernel[0] * s_.kernel[1]; ++tap) {
      const std::size_t down = z * s_.stride[0] + tap / s_.kernel[1] * s_.dilation[0];
      const std::size_t along = y * s_.stride[1] + tap % s_.kernel[1] * s_.dilation[1];
      if (down < s_.pad_begin[0] || down - s_.pad_begin[0] >= s_.in[0]) continue;
      if (along < s_.pad_begin[1] || along - s_.pad_begin[1] >= s_.in[1]) continue;
      const std::size_t line = (down - s_.pad_begin[0]) * s_.in[1] + along - s_.pad_begin[1];
      loops_.fold(reduction_, plane + line * s_.in[2], inside, s_.in[2]);
    }
    std::fill_n(out, s_.out[2], start_);
    for (std::size_t tap = 0; tap < s_.kernel[2]; ++tap) {
      loops_.fold_strided(reduction_, row_.data() + tap * s_.dilation[2], s_.stride[2], out,
                          s_.out[2]);
    }
  }

 private:
  // Positions that the windows cover: with rounding up they may end beyond the padding.
  std::size_t reach() const {
    return (s_.out[2] - 1) * s_.stride[2] + (s_.kernel[2] - 1) * s_.dilation[2] + 1;
  }

  const PoolShape& s_;
  const Reduction reduction_;
  const float start_;
  std::vector<float> row_;
  const RowLoops& loops_ = row_loops();
};

template <class Finish>
void pool(const PoolShape& s, Reduction reduction, const float* in, float* out, const Store& store,
          const Finish& finish) {
  const std::size_t pixels = s.in[0] * s.in[1] * s.in[2];
  const std::size_t rows = s.out[0] * s.out[1];
  if (rows * s.out[2] == 0) return;
  const std::size_t per_task = std::max<std::size_t>(1, kTask / std::max<std::size_t>(1, pixels));
  for_each_item(s.planes, per_task, store, [&](std::size_t plane, Losses& losses) {
    RowPool row_pool(s, reduction);
    for (std::size_t row = 0; row < rows; ++row) {
      float* const to = out + (plane * rows + row) * s.out[2];
      const std::size_t z = row / s.out[1];
      const std::size_t y = row % s.out[1];
      row_pool.run(in + plane * pixels, z, y, to);
      finish(z, y, to, losses);
    }
  });
}

}  // namespace

void max_pool(const PoolShape& shape, const float* in, float* out) {
  pool(shape, Reduction::kMaximum, in, out, {}, [](std::size_t, std::size_t, float*, Losses&) {});
}

void average_pool(const PoolShape& shape, const float* in, float* out, const Store& store) {
  std::vector<std::size_t> across(shape.out[2]);
  for (std::size_t x = 0; x < across.size(); ++x) across[x] = counted(shape, 2, x);
  pool(shape, Reduction::kSum, in, out, store,
       [&](std::size_t z, std::size_t y, float* row, Losses& losses) {
         const std::size_t count = counted(shape, 0, z) * counted(shape, 1, y);
         for (std::size_t x = 0; x < across.size(); ++x) {
           row[x] /= static_cast<float>(count * across[x]);
         }
         round_to_store(row, across.size(), store, losses);
       });
}

namespace ref {
namespace {

template <class Take>
std::size_t for_each_tap(const PoolShape& s, std::size_t pixel, const Take& take) {
  const std::size_t at[3] = {pixel / (s.out[1] * s.out[2]), pixel / s.out[2] % s.out[1],
                             pixel % s.out[2]};
  std::size_t count = 0;
  for (std::size_t tap = 0; tap < s.kernel[0] * s.kernel[1] * s.kernel[2]; ++tap) {
    const std::size_t taps[3] = {tap / (s.kernel[1] * s.kernel[2]), tap / s.kernel[2] % s.kernel[1],
                                 tap % s.kernel[2]};
    std::size_t source = 0;
    bool inside = true;
    bool counts = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t place = at[axis] * s.stride[axis] + taps[axis] * s.dilation[axis];
      inside = inside && place >= s.pad_begin[axis] && place - s.pad_begin[axis] < s.in[axis];
      counts = counts && place < s.in[axis] + s.pad_begin[axis] + s.pad_end[axis];
      source = source * s.in[axis] + place - s.pad_begin[axis];
    }
    if (inside) take(source);
    count += inside || (counts && s.counts_padding) ? 1 : 0;
  }
  return count;
}

}  // namespace

void max_pool(const PoolShape& s, const float* in, float* out) {
  const std::size_t pixels = s.out[0] * s.out[1] * s.out[2];
  for (std::size_t i = 0; i < s.planes * pixels; ++i) {
    const float* const plane = in + i / pixels * s.in[0] * s.in[1] * s.in[2];
    float top = -kInfinity;
    for_each_tap(s, i % pixels, [&](std::size_t source) {
      const float x = plane[source];
      if (x > top || x != x) top = x;
    });
    out[i] = top;
  }
}

void average_pool(const PoolShape& s, const float* in, float* out) {
  const std::size_t pixels = s.out[0] * s.out[1] * s.out[2];
  for (std::size_t i = 0; i < s.planes * pixels; ++i) {
    const float* const plane = in + i / pixels * s.in[0] * s.in[1] * s.in[2];
    double sum = 0;
    const std::size_t count =
        for_each_tap(s, i % pixels, [&](std::size_t source) { sum += double{plane[source]}; });
    out[i] = static_cast<float>(sum) / static_cast<float>(count);
  }
}

}  // namespace ref
}  // namespace godwit::kernels
