// Values of an image at given positions between its elements.
#include "ops/expand_grid_sample.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/interpolate.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const Shape *const x = n.shape(0), *const grid = n.shape(1);
  std::optional<Shape> out;
  if (x && x->size() >= 3) {
    out = Shape(x->begin(), x->begin() + 2);
    out->resize(x->size(), Dim::unknown());
    if (grid && grid->size() == x->size())
      std::copy(grid->begin() + 1, grid->end() - 1, out->begin() + 2);
  }
  n.set(0, n.element(0), std::move(out));
  return {};
}

enum class Mode : std::uint8_t { kLinear, kNearest, kCubic };
enum class Outside : std::uint8_t { kZeros, kBorder, kReflection };
struct Setting {
  Mode mode;
  Outside outside;
  bool at_centers;  // -1 and 1 are the centres of the outer elements, else their edges
};

Result<Setting> read(const Call& call) {
  Setting out{Mode::kLinear, Outside::kZeros, call.flag("align_corners")};
  const std::string_view mode = call.text("mode"), outside = call.text("padding_mode");
  if (mode == "nearest")
    out.mode = Mode::kNearest;
  else if (mode == "cubic" || mode == "bicubic")
    out.mode = Mode::kCubic;
  else if (mode != "linear" && mode != "bilinear")
    return refuse_attribute(call, "mode");
  if (outside == "border")
    out.outside = Outside::kBorder;
  else if (outside == "reflection")
    out.outside = Outside::kReflection;
  else if (outside != "zeros")
    return refuse_attribute(call, "padding_mode");
  return out;
}

constexpr double kFarAway = 1 << 30;  // whole numbers up to here are exact, and nothing is there

// Back and forth between the ends of the image: their centres, or their edges.
template <class R>
R reflect(R x, std::int64_t size, bool at_centers) {
  const R low = at_centers ? R(0) : R(-0.5), length = static_cast<R>(at_centers ? size - 1 : size);
  if (length <= 0) return 0;
  const R away = std::fmod(std::abs(x - low), 2 * length);
  return low + (away > length ? 2 * length - away : away);
}

// The place inside the image that stands for x; outside of it where zeros are wanted.
template <class R>
R inside(R x, std::int64_t size, const Setting& s) {
  if (s.outside == Outside::kZeros) return x;
  if (s.outside == Outside::kReflection) x = reflect(x, size, s.at_centers);
  return std::clamp<R>(x, 0, static_cast<R>(size - 1));
}

template <class R>
Taps<R> taps(R position, std::int64_t size, const Setting& s) {
  const R extent = static_cast<R>(size);
  R x = s.at_centers ? (position + 1) / 2 * (extent - 1) : ((position + 1) * extent - 1) / 2;
  if (std::isnan(x)) return {};
  x = std::clamp<R>(x, static_cast<R>(-kFarAway), static_cast<R>(kFarAway));
  if (s.mode == Mode::kLinear) return linear_taps(inside(x, size, s), size);
  const bool is_nearest = s.mode == Mode::kNearest;
  const R first = is_nearest ? std::nearbyint(inside(x, size, s)) : std::floor(x) - 1;
  const std::vector<R> weights =
      is_nearest ? std::vector<R>{1} : cubic_weights(x - std::floor(x), R(-0.75));
  Taps<R> out;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const R place = inside(first + static_cast<R>(i), size, s);
    if (place >= 0 && place < extent) out.push_back({static_cast<std::size_t>(place), weights[i]});
  }
  return out;
}

template <class T>
Status evaluate(Call& call) {
  using R = Real<T>;
  TRY(expect_rank_from(call, 0, 3));
  const Sizes& dims = call.input(0).dims();
  TRY(expect_rank(call, 1, dims.size()));
  const std::size_t rank = dims.size() - 2;
  Sizes grid_dims = call.input(1).dims();
  grid_dims.front() = dims[0];
  grid_dims.back() = static_cast<std::int64_t>(rank);
  TRY(expect_sizes(call, 1, grid_dims));
  ASSIGN(const Setting setting, read(call));
  ASSIGN(const Tensor positions, convert(call.input(1), ir::kElement<R>));
  const std::span<const R> grid = positions.values<R>();
  const std::span<const T> x = call.values<T>(0);
  Sizes made(dims.begin(), dims.begin() + 2);
  made.insert(made.end(), grid_dims.begin() + 1, grid_dims.end() - 1);
  ASSIGN(const std::span<T> y, call.make<T>(0, made));
  const Sizes image(dims.begin() + 2, dims.end());
  const std::vector<std::int64_t> steps = strides(image);
  const auto volume = static_cast<std::size_t>(product(image, 0, rank));
  const auto results = static_cast<std::size_t>(product(made, 2, made.size()));
  const auto channels = static_cast<std::size_t>(dims[1]);
  if (volume == 0) return refuse_empty(call, dims);
  std::vector<Taps<R>> axes(rank);
  for (std::size_t at = 0; at < static_cast<std::size_t>(dims[0]) * results; ++at) {
    const std::size_t n = at / results, place = at % results;
    // Positions run from the innermost axis outwards: x, y, z.
    for (std::size_t axis = 0; axis < rank; ++axis)
      axes[axis] = taps(grid[at * rank + rank - 1 - axis], image[axis], setting);
    for (std::size_t plane = n * channels; plane < (n + 1) * channels; ++plane) {
      y[plane * results + place] =
          static_cast<T>(blend(x.subspan(plane * volume, volume), steps, axes));
    }
  }
  return {};
}

}  // namespace

extern const Operator grid_sample = {
    .name = "GridSample",
    .doc = "Values of an image at positions between its elements.",
    .since = 16,
    .inputs = {{"X", 'T', classic(22)}, {"grid", 'G', floats(22)}},
    .outputs = {{"Y", 'T', classic(22)}},
    .attributes = {{"align_corners", 0},
                   {.name = "mode", .fallback = "bilinear", .until = 19},
                   {.name = "mode", .fallback = "linear", .since = 20},
                   {"padding_mode", "zeros"}},
    .revisions = {22},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = by_type(Numbers(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand_grid_sample,
};

}  // namespace godwit::ops::operators
