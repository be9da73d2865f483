// Poolings: each element of the output sums up the elements under a window, plane by plane.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ops/call.h"
#include "ops/expect.h"
#include "ops/window.h"

namespace godwit::ops {

/// The sizes of one pooling, checked: [N, C, image …] to [N, C, positions …].
struct Pooling {
  Window window;
  Sizes image, positions, output;
  std::size_t planes;   // N * C
  std::size_t volume;   // elements of one plane of the image
  std::size_t results;  // and of the output
};
Result<Pooling> read_pooling(const Call& call);

/// Shape rule of every output by the attribute kernel_shape. The second output holds indices.
Status infer_pooling(Inference& n);
/// Shape rule of global poolings: [N, C, 1 …].
Status infer_global_pooling(Inference& n);

/// E151: a window lies over padding only, where no element is.
tl::unexpected<Error> refuse_bare_window(const Call& call, const Under& under);

/// y[plane, position] = f(plane of x, under) for every window.
template <class T, class F>
Status pool(Call& call, F&& f) {
  ASSIGN(const Pooling sizes, read_pooling(call));
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, sizes.output));
  Status out;
  for_each_position(sizes.window, sizes.image, sizes.positions, [&](const Under& under) {
    if (under.elements.empty()) {
      out = refuse_bare_window(call, under);
      return;
    }
    for (std::size_t plane = 0; plane < sizes.planes; ++plane) {
      y[plane * sizes.results + under.position] =
          f(x.subspan(plane * sizes.volume, sizes.volume), under);
    }
  });
  return out;
}

/// y[n, c] = f(plane) for every plane of [N, C, D1 …].
template <class T, class F>
Status pool_globally(Call& call, F&& f) {
  TRY(expect_rank_from(call, 0, 2));
  const Sizes& dims = call.input(0).dims();
  Sizes out(dims.size(), 1);
  std::copy_n(dims.begin(), 2, out.begin());
  const std::span<const T> x = call.values<T>(0);
  const auto volume = static_cast<std::size_t>(product(dims, 2, dims.size()));
  if (volume == 0) return refuse_empty(call, dims);
  ASSIGN(const std::span<T> y, call.make<T>(0, std::move(out)));
  for (std::size_t plane = 0; plane < y.size(); ++plane)
    y[plane] = f(x.subspan(plane * volume, volume));
  return {};
}

}  // namespace godwit::ops
