// Transposed convolution with constant weights: one product makes what every element puts down,
// which is then added up where it falls.
#include <algorithm>

#include "base/parallel.h"
#include "exec/lowering.h"
#include "kernels/gemm.h"
#include "kernels/half.h"
#include "ops/window.h"

namespace godwit::exec::lowerings {
namespace {

constexpr std::size_t kMostScratch = std::size_t{1} << 26;  // floats

struct Axis {
  std::size_t from = 1, to = 1, kernel = 1, stride = 1, dilation = 1;
  std::int64_t pad = 0;
};

struct Problem {
  std::size_t batch = 1, groups = 1, channels = 1, filters = 1;  // of one group
  Axis rows{}, columns{};
  const float* bias = nullptr;

  std::size_t pixels() const { return rows.from * columns.from; }
  std::size_t made() const { return rows.to * columns.to; }
  std::size_t taps() const { return rows.kernel * columns.kernel; }
};

// One filter: `put` holds a plane of the image's size for each tap.
void add_up(const Problem& p, const float* put, float first, float* out) {
  std::fill_n(out, p.made(), first);
  for (std::size_t tap = 0; tap < p.taps(); ++tap, put += p.pixels()) {
    const auto down = static_cast<std::int64_t>(tap / p.columns.kernel * p.rows.dilation);
    const auto right = static_cast<std::int64_t>(tap % p.columns.kernel * p.columns.dilation);
    for (std::size_t y = 0; y < p.rows.from; ++y) {
      const std::int64_t row = static_cast<std::int64_t>(y * p.rows.stride) + down - p.rows.pad;
      if (row < 0 || row >= static_cast<std::int64_t>(p.rows.to)) continue;
      float* const to = out + static_cast<std::size_t>(row) * p.columns.to;
      const float* const from = put + y * p.columns.from;
      const std::int64_t start = right - p.columns.pad;
      for (std::size_t x = 0; x < p.columns.from; ++x) {
        const std::int64_t column = static_cast<std::int64_t>(x * p.columns.stride) + start;
        if (column >= 0 && column < static_cast<std::int64_t>(p.columns.to)) to[column] += from[x];
      }
    }
  }
}

Axis axis_of(const ops::Window& window, std::size_t i, std::int64_t from, std::int64_t to) {
  const auto number = [](std::int64_t value) { return static_cast<std::size_t>(value); };
  return {number(from),
          number(to),
          number(window.kernel[i]),
          number(window.strides[i]),
          number(window.dilations[i]),
          window.pads[i]};
}

// Nothing where the padding follows from the sizes, or there are other than one or two axes.
Result<std::optional<Problem>> problem_of(const Part& part) {
  const auto image = part.sizes(part.input(0)), weights = part.sizes(part.input(1)),
             made = part.sizes(part.output());
  const bool has_bias = part.input(2) != ir::kNone;
  Problem out{.bias = part.floats(part.input(2))};
  if (!image || !weights || !made || !part.is_fp32(part.input(0)) || !part.floats(part.input(1)) ||
      (has_bias && !out.bias) || part.has("output_shape") || weights->size() != image->size() ||
      (image->size() != 3 && image->size() != 4))
    return std::nullopt;
  ASSIGN(const ops::Window window,
         ops::read_window(part, ops::Ints(weights->begin() + 2, weights->end())));
  const std::int64_t groups = part.integer("group");
  if (window.padding != ops::Window::Padding::kGiven || groups < 1 || (*image)[1] % groups != 0 ||
      (*weights)[0] != (*image)[1] || *ir::count(*made) == 0 || *ir::count(*image) == 0)
    return std::nullopt;
  out.batch = static_cast<std::size_t>((*image)[0]);
  out.groups = static_cast<std::size_t>(groups);
  out.channels = static_cast<std::size_t>((*image)[1] / groups);
  out.filters = static_cast<std::size_t>((*weights)[1]);
  const std::size_t last = window.rank() - 1;
  out.columns = axis_of(window, last, image->back(), made->back());
  if (last == 1) out.rows = axis_of(window, 0, (*image)[2], (*made)[2]);
  return std::optional(out);
}

Result<Step> make(const Part& part) {
  ASSIGN(const std::optional<Problem> found, problem_of(part));
  if (!found) return Step();
  const Problem p = *found;
  const std::size_t width = p.filters * p.taps();
  if (width * p.pixels() > kMostScratch) return Step();
  auto packed = std::make_shared<std::vector<kernels::PackedMatrix>>();
  for (std::size_t g = 0; g < p.groups; ++g) {
    const kernels::MatrixView weights{part.floats(part.input(1)) + g * p.channels * width, width};
    packed->emplace_back(kernels::Side::kLeft, width, p.channels, weights.transposed());
  }
  part.packed(part.input(1));
  ASSIGN(const ir::ValueId in, part.reads(part.input(0)));
  return Step(
      [p, width, packed, in, out = part.output(), store = part.store()](Frame& frame) -> Status {
        ASSIGN(float* const to, frame.write<float>(out));
        float* const put = frame.scratch(width * p.pixels());
        for (std::size_t i = 0; i < p.batch * p.groups; ++i) {
          kernels::gemm({.m = width,
                         .n = p.pixels(),
                         .k = p.channels,
                         .b = {frame.read<float>(in) + i * p.channels * p.pixels(), p.pixels()},
                         .packed_a = &(*packed)[i % p.groups],
                         .c = put,
                         .c_stride = p.pixels()});
          parallel_for(p.filters, [&](std::size_t filter, std::size_t) {
            const float first = p.bias ? p.bias[i % p.groups * p.filters + filter] : 0;
            float* const plane = to + (i * p.filters + filter) * p.made();
            add_up(p, put + filter * p.taps() * p.pixels(), first, plane);
            kernels::narrow(plane, plane, p.made(), store.how);
          });
        }
        return {};
      });
}

}  // namespace

extern const Lowering conv_transpose = {.ops = {"ConvTranspose"}, .make = make};

}  // namespace godwit::exec::lowerings
