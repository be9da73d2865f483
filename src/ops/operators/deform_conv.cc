// Convolution whose filters look at places that are moved by offsets of their own (arXiv
// 1703.06211), each weighted by a mask (arXiv 1811.11168).
#include "base/text.h"
#include "ops/convolution.h"
#include "ops/expect.h"
#include "ops/interpolate.h"

namespace godwit::ops::operators {
namespace {

// What one filter element looks at, for all input channels and kernel elements of one position.
template <class T>
struct Columns {
  const Call& call;
  const Convolution& sizes;
  std::size_t kernel, results, volume, channels_each;  // channels of one offset group
  std::span<const T> x, offset, mask;
  std::vector<std::int64_t> steps;

  // Where the kernel element lies for an offset group at a position.
  std::vector<Taps<T>> taps(std::size_t group, const Sizes& element, std::size_t k,
                            const Sizes& position, std::size_t place) const {
    const Window& window = sizes.window;
    std::vector<Taps<T>> out;
    for (std::size_t axis = 0; axis < window.rank(); ++axis) {
      const std::int64_t start = position[axis] * window.strides[axis] - window.pads[axis] +
                                 element[axis] * window.dilations[axis];
      const std::size_t row = (group * kernel + k) * window.rank() + axis;
      out.push_back(
          linear_taps(static_cast<T>(start) + offset[row * results + place], sizes.image[axis]));
    }
    return out;
  }

  // values[c * kernel + k] for one image at one position.
  void fill(std::size_t n, const Sizes& position, std::size_t place, std::vector<T>& values) const {
    for (std::size_t group = 0; group * channels_each < sizes.channels; ++group) {
      std::size_t k = 0;
      for (Odometer at(sizes.window.kernel, {}); !at.done(); at.next(), ++k) {
        const std::vector<Taps<T>> look = taps(group, at.coordinates(), k, position, place);
        const T weight = mask.empty() ? 1 : mask[(group * kernel + k) * results + place];
        for (std::size_t c = group * channels_each; c < (group + 1) * channels_each; ++c) {
          const auto plane = x.subspan((n * sizes.channels + c) * volume, volume);
          values[c * kernel + k] = weight * blend(plane, steps, look);
        }
      }
    }
  }
};

template <class T>
Status evaluate(Call& call) {
  ASSIGN(const Convolution sizes, read_convolution(call, 0, 1));
  const std::int64_t groups = call.integer("offset_group");
  const auto channels = static_cast<std::int64_t>(sizes.channels);
  if (groups < 1 || groups > channels || channels % groups) {
    return refuse_attribute(call, "offset_group");
  }
  const std::int64_t kernel = product(sizes.window.kernel, 0, sizes.window.rank());
  const Sizes made = sizes.output();
  Sizes wanted = made;
  wanted[1] = groups * kernel * static_cast<std::int64_t>(sizes.window.rank());
  TRY(expect_sizes(call, 2, wanted));
  wanted[1] = groups * kernel;
  if (call.has_input(4)) TRY(expect_sizes(call, 4, wanted));
  if (call.has_input(3)) TRY(expect_sizes(call, 3, {made[1]}));

  const std::span<const T> w = call.values<T>(1);
  const auto results = static_cast<std::size_t>(product(made, 2, made.size()));
  const auto per_image = [&](std::size_t input, std::size_t n) {
    const std::span<const T> all =
        call.has_input(input) ? call.values<T>(input) : std::span<const T>();
    return all.subspan(n * (all.size() / sizes.batch), all.size() / sizes.batch);
  };
  ASSIGN(const std::span<T> y, call.make<T>(0, made));
  const std::size_t depth = sizes.channels / sizes.groups, each = sizes.filters / sizes.groups;
  const auto elements = static_cast<std::size_t>(kernel);
  std::vector<T> values(sizes.channels * elements);
  for (std::size_t n = 0; n < sizes.batch; ++n) {
    const Columns<T> columns{call,
                             sizes,
                             elements,
                             results,
                             static_cast<std::size_t>(product(sizes.image, 0, sizes.image.size())),
                             static_cast<std::size_t>(channels / groups),
                             call.values<T>(0),
                             per_image(2, n),
                             per_image(4, n),
                             strides(sizes.image)};
    std::size_t place = 0;
    for (Odometer at(sizes.positions, {}); !at.done(); at.next(), ++place) {
      columns.fill(n, at.coordinates(), place, values);
      for (std::size_t m = 0; m < sizes.filters; ++m) {
        T sum = call.has_input(3) ? call.values<T>(3)[m] : 0;
        for (std::size_t i = 0; i < depth * elements; ++i)
          sum += w[m * depth * elements + i] * values[m / each * depth * elements + i];
        y[(n * sizes.filters + m) * results + place] = sum;
      }
    }
  }
  return {};
}

}  // namespace

extern const Operator deform_conv = {
    .name = "DeformConv",
    .doc = "Convolution of images at places moved by offsets and weighted by a mask.",
    .since = 19,
    .inputs = {{"X", 'T', floats(22)},
               {"W", 'T', floats(22)},
               {"offset", 'T', floats(22)},
               {"B", 'T', floats(22), kOptional},
               {"mask", 'T', floats(22), kOptional}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes =
        {{"dilations"}, {"group", 1}, {"kernel_shape"}, {"offset_group", 1}, {"pads"}, {"strides"}},
    .revisions = {22},
    .numerics = Numerics::kMatrix,
    .infer = [](Inference& n) { return infer_convolution(n, 0, 1, n.element(0)); },
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
};

}  // namespace godwit::ops::operators
