// Transposed convolution: every element of the images puts down its filter, weighted.
#include "base/text.h"
#include "ops/expect.h"
#include "ops/window.h"

namespace godwit::ops::operators {
namespace {

// The window that slides over the output and takes as many positions as the input has elements.
// `full` is the size of the output before padding takes some of it away.
struct Transposed {
  Window window;
  std::vector<std::int64_t> extra;  // output_padding
  std::optional<Ints> wanted;       // output_shape

  Dim full(std::size_t axis, Dim size) const {
    return (size - Dim(1)) * Dim(window.strides[axis]) + Dim(window.extent(axis) + extra[axis]);
  }
  Dim output(std::size_t axis, Dim size) const {
    if (wanted) return (*wanted)[axis];
    switch (window.padding) {
      case Window::Padding::kSameUpper:
      case Window::Padding::kSameLower: return size * Dim(window.strides[axis]);
      case Window::Padding::kValid: return full(axis, size);
      case Window::Padding::kGiven: break;
    }
    return full(axis, size) - Dim(window.pads[axis] + window.pads[window.rank() + axis]);
  }
};

Result<Transposed> read(const Site& site, Ints kernel) {
  const std::size_t rank = kernel.size();
  Transposed out;
  ASSIGN(out.window, read_window(site, std::move(kernel)));
  ASSIGN(out.extra, per_axis(site, "output_padding", rank, 0, 0));
  if (site.has("output_shape")) {
    ASSIGN(out.wanted, per_axis(site, "output_shape", rank, 1, 1));
  }
  return out;
}

Status infer(Inference& n) {
  const Shape *const x = n.shape(0), *const w = n.shape(1);
  n.set(0, n.element(0), std::nullopt);
  if (!x || x->size() < 3) return {};
  Shape out(x->size(), Dim::unknown());
  out[0] = x->front();
  Ints kernel = n.integers("kernel_shape");
  if (w && w->size() == x->size()) {
    out[1] = (*w)[1] * Dim(n.integer("group"));
    for (const Dim dim : spatial(*w)) {
      if (dim.is_known() && kernel.size() < x->size() - 2) kernel.push_back(dim.value());
    }
  }
  if (kernel.size() == x->size() - 2) {
    ASSIGN(const Transposed sizes, read(n, std::move(kernel)));
    for (std::size_t axis = 0; axis + 2 < x->size(); ++axis)
      out[axis + 2] = sizes.output(axis, (*x)[axis + 2]);
  }
  n.set(0, n.element(0), std::move(out));
  return {};
}

// Sizes of the output's spatial axes; gives the window the padding that leads to them.
Result<Sizes> fix_padding(const Call& call, Transposed& sizes, std::span<const std::int64_t> x) {
  Window& window = sizes.window;
  Sizes out;
  for (std::size_t axis = 0; axis < window.rank(); ++axis) {
    const Dim output = sizes.output(axis, x[axis]), full = sizes.full(axis, x[axis]);
    if (!output.is_known() || !full.is_known() || output.value() < 1) {
      return refuse_attribute(call, "pads");
    }
    out.push_back(output.value());
    if (window.padding == Window::Padding::kGiven && !sizes.wanted) continue;
    const std::int64_t total = std::max<std::int64_t>(0, full.value() - output.value());
    const bool more_after = window.padding == Window::Padding::kSameUpper;
    window.pads[axis] = more_after ? total / 2 : total - total / 2;
    window.pads[window.rank() + axis] = total - window.pads[axis];
  }
  window.padding = Window::Padding::kGiven;
  return out;
}

Status check_groups(const Call& call, std::int64_t groups) {
  const Sizes &x = call.input(0).dims(), &w = call.input(1).dims();
  if (groups >= 1 && groups <= x[1] && x[1] % groups == 0 && w[0] == x[1]) return {};
  return call.refuse(
      "groups",
      {{"a", ir::to_string(x)}, {"b", ir::to_string(w)}, {"groups", format("{}", groups)}});
}

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank_from(call, 0, 3));
  TRY(expect_rank(call, 1, call.input(0).rank()));
  const std::int64_t groups = call.integer("group");
  TRY(check_groups(call, groups));
  const Sizes &dims = call.input(0).dims(), &w_dims = call.input(1).dims();
  ASSIGN(Transposed sizes, read(call, Ints(w_dims.begin() + 2, w_dims.end())));
  ASSIGN(const Sizes image, fix_padding(call, sizes, spatial(dims)));
  Sizes made = {dims[0], w_dims[1] * groups};
  made.insert(made.end(), image.begin(), image.end());
  ASSIGN(const std::span<T> y, call.make<T>(0, made));
  if (call.has_input(2)) {
    TRY(expect_sizes(call, 2, {made[1]}));
    for_each_lane(made, 1, [&](const Lane& lane) {
      for (std::size_t m = 0; m < lane.count; ++m) y[lane[m]] = call.values<T>(2)[m];
    });
  }

  const std::span<const T> x = call.values<T>(0), w = call.values<T>(1);
  const auto volume = [](const Sizes& s, std::size_t first) {
    return static_cast<std::size_t>(product(s, first, s.size()));
  };
  const std::size_t from_plane = volume(dims, 2), to_plane = volume(image, 0);
  const auto channels = static_cast<std::size_t>(dims[1]);
  const auto depth = channels / static_cast<std::size_t>(groups);
  const auto each = static_cast<std::size_t>(w_dims[1]), kernel = volume(w_dims, 2);
  const auto stride = static_cast<std::size_t>(sizes.window.strides.back());
  std::size_t k = 0;
  for (Odometer at(sizes.window.kernel, {}); !at.done(); at.next(), ++k) {
    const std::vector<Run> covered = runs(sizes.window, at.coordinates(), image, spatial(dims));
    for (std::size_t plane = 0; plane < static_cast<std::size_t>(dims[0]) * channels; ++plane) {
      const std::size_t n = plane / channels, c = plane % channels;
      for (std::size_t m = 0; m < each; ++m) {
        const T weight = w[(c * each + m) * kernel + k];
        const std::size_t filter = n * static_cast<std::size_t>(made[1]) + c / depth * each + m;
        for (const Run& run : covered) {
          for (std::size_t i = 0; i < run.count; ++i) {
            y[filter * to_plane + run.image + i * stride] +=
                weight * x[plane * from_plane + run.position + i];
          }
        }
      }
    }
  }
  return {};
}

Dim flop(const Inference& n) {
  const Shape *const x = n.shape(0), *const w = n.shape(1);
  if (!x || !w || w->empty()) return Dim::unknown();
  return Dim(2) * count(*x) * floor_div(count(*w), w->front());
}

}  // namespace

extern const Operator conv_transpose = {
    .name = "ConvTranspose",
    .doc = "Transposed convolution: the gradient of Conv with respect to its images.",
    .inputs = {{"X", 'T', floats(22)}, {"W", 'T', floats(22)}, {"B", 'T', floats(22), kOptional}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{"auto_pad", "NOTSET"},
                   {"dilations"},
                   {"group", 1},
                   {"kernel_shape"},
                   {"output_padding"},
                   {"output_shape"},
                   {"pads"},
                   {"strides"}},
    .revisions = {11, 22},
    .numerics = Numerics::kMatrix,
    .infer = infer,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .flop = flop,
};

}  // namespace godwit::ops::operators
