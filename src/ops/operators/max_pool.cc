// The largest element under a window, and where it stands.
#include <cmath>

#include "ops/pooling.h"

namespace godwit::ops::operators {
namespace {

// The first of the largest; a NaN is larger than all.
template <class T>
std::size_t largest(std::span<const T> plane, std::span<const std::size_t> elements) {
  std::size_t out = elements.front();
  for (const std::size_t i : elements) {
    if (plane[i] > plane[out] || (plane[i] != plane[i] && plane[out] == plane[out])) out = i;
  }
  return out;
}

// The place of each element of a plane where its first axis is the fastest.
std::vector<std::int64_t> column_major(const Sizes& image) {
  std::vector<std::int64_t> steps(image.size(), 1), out;
  for (std::size_t i = 1; i < image.size(); ++i) steps[i] = steps[i - 1] * image[i - 1];
  for (Odometer at(image, {steps}); !at.done(); at.next())
    out.push_back(static_cast<std::int64_t>(at.offset(0)));
  return out;
}

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const Pooling sizes, read_pooling(call));
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, sizes.output));
  ASSIGN(const std::span<std::int64_t> indices, call.make<std::int64_t>(1, sizes.output));
  const bool by_columns = call.flag("storage_order");
  const std::vector<std::int64_t> places =
      by_columns ? column_major(sizes.image) : std::vector<std::int64_t>();
  Status out;
  for_each_position(sizes.window, sizes.image, sizes.positions, [&](const Under& under) {
    if (under.elements.empty()) {
      out = refuse_bare_window(call, under);
      return;
    }
    for (std::size_t plane = 0; plane < sizes.planes; ++plane) {
      const std::size_t first = plane * sizes.volume;
      const std::size_t top = largest(x.subspan(first, sizes.volume), under.elements);
      const std::size_t to = plane * sizes.results + under.position;
      y[to] = x[first + top];
      indices[to] = static_cast<std::int64_t>(first) +
                    (by_columns ? places[top] : static_cast<std::int64_t>(top));
    }
  });
  return out;
}

}  // namespace

extern const Operator max_pool = {
    .name = "MaxPool",
    .doc = "The largest element under each position of a window, and its index.",
    .inputs = {{"X", 'T', floats(22) | since(12, kBytes)}},
    .outputs =
        {{"Y", 'T', floats(22) | since(12, kBytes)},
         {.name = "Indices", .variable = 'I', .types = kInt64, .kind = kOptional, .since = 8}},
    .attributes = {{"auto_pad", "NOTSET"},
                   {.name = "ceil_mode", .fallback = 0, .since = 10},
                   {.name = "dilations", .since = 10},
                   {"kernel_shape", kMustBeThere},
                   {"pads"},
                   {.name = "storage_order", .fallback = 0, .since = 8},
                   {"strides"}},
    .revisions = {11, 12, 22},
    .infer = infer_pooling,
    .evaluate = by_type(Types<float, double, std::int8_t, std::uint8_t>(),
                        []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
