// Coordinates and weights of resizing.
#include "ops/resize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "ops/expect.h"
#include "ops/interpolate.h"
#include "ops/walk.h"

namespace godwit::ops {
namespace {

using Mode = Resampling::Mode;
using Place = Resampling::Place;

double place_in_input(const ResizedAxis& axis, const Resampling& how, std::int64_t i) {
  const auto x = static_cast<double>(i), from = static_cast<double>(axis.from);
  const double length = axis.scale * from;  // may be a fraction
  const double centered = (x + 0.5) / axis.scale - 0.5;
  switch (how.place) {
    case Place::kHalfPixel: return centered;
    case Place::kHalfPixelSymmetric:
      return from / 2 * (1 - static_cast<double>(axis.to) / length) + centered;
    case Place::kPytorchHalfPixel: return axis.to > 1 ? centered : 0;
    case Place::kHalfPixelForNearest: return (x + 0.5) / axis.scale;
    case Place::kAlignCorners: return length == 1 ? 0 : x * (from - 1) / (length - 1);
    case Place::kAsymmetric: return x / axis.scale;
    case Place::kCropAndResize: break;
  }
  const double extent = (axis.roi_end - axis.roi_start) * (from - 1);
  const double start = axis.roi_start * (from - 1);
  return start + (length == 1 ? extent / 2 : x * extent / (length - 1));
}

double nearest_place(double x, Resampling::Nearest rule) {
  switch (rule) {
    case Resampling::Nearest::kPreferFloor: return std::ceil(x - 0.5);
    case Resampling::Nearest::kPreferCeil: return std::floor(x + 0.5);
    case Resampling::Nearest::kFloor: return std::floor(x);
    case Resampling::Nearest::kCeil: return std::ceil(x);
  }
  return x;
}

double triangle(double distance) { return std::max(0.0, 1 - std::abs(distance)); }
double cubic(double distance, double a) {
  const double d = std::abs(distance);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

// A filter this much wider than the axis sees nothing but its border.
constexpr double kWidest = 1 << 24;

// Elements around x by a filter that is stretched where `how` asks for it, and their weights, whose
// sum is 1.
Result<Taps<double>> filter_taps(const Site& site, double x, const ResizedAxis& axis,
                                 const Resampling& how) {
  const double stretch = how.antialiases ? std::min(axis.scale, 1.0) : 1;
  const double radius = (how.mode == Mode::kLinear ? 1 : 2) / stretch;
  if (!(radius < kWidest) || !(std::abs(x) < kWidest * kWidest))
    return site.refuse("scale", {{"scale", format("{}", axis.scale)}});
  const auto last = static_cast<double>(axis.from - 1);
  Taps<double> out;
  double sum = 0;
  for (double i = std::floor(x - radius) + 1; i < x + radius; ++i) {
    if (how.excludes_outside && (i < 0 || i > last)) continue;
    const double distance = (i - x) * stretch;
    const double weight =
        how.mode == Mode::kLinear ? triangle(distance) : cubic(distance, how.cubic_a);
    out.push_back({static_cast<std::size_t>(std::clamp(i, 0.0, last)), weight});
    sum += weight;
  }
  for (Tap<double>& tap : out) tap.weight /= sum;
  return out;
}

constexpr std::int64_t kLongest = 1 << 24;  // of an axis: each of its places has a plan

// What every element along the axis of the output is made of; nothing where its place is outside
// of an image that is cropped.
struct Plan {
  std::vector<Taps<double>> taps;
  bool changes = false;
};
Result<Plan> plan(const Site& site, const ResizedAxis& axis, const Resampling& how) {
  Plan out;
  const auto last = static_cast<double>(axis.from - 1);
  for (std::int64_t i = 0; i < axis.to; ++i) {
    const double x = place_in_input(axis, how, i);
    if (how.place == Place::kCropAndResize && !(x >= 0 && x <= last)) {
      out.taps.emplace_back();
    } else if (how.mode == Mode::kNearest) {
      const double place = std::clamp(nearest_place(x, how.nearest), 0.0, last);
      out.taps.push_back({{static_cast<std::size_t>(place), 1}});
    } else {
      ASSIGN(Taps<double> taps, filter_taps(site, x, axis, how));
      out.taps.push_back(std::move(taps));
    }
    const Taps<double>& made = out.taps.back();
    out.changes |= made.size() != 1 || made[0].place != static_cast<std::size_t>(i);
  }
  out.changes |= axis.from != axis.to;
  return out;
}

// Elements moved, not computed: any type.
template <class T>
Status move_nearest(Call& call, const std::vector<Plan>& plans, const Sizes& to, T outside) {
  const std::vector<std::int64_t> steps = strides(call.input(0).dims());
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, to));
  std::size_t i = 0;
  for (Odometer at(to, {}); !at.done(); at.next(), ++i) {
    std::size_t from = 0;
    bool is_inside = true;
    for (std::size_t axis = 0; axis < to.size() && is_inside; ++axis) {
      const auto& taps = plans[axis].taps[static_cast<std::size_t>(at.coordinates()[axis])];
      is_inside = !taps.empty();
      if (is_inside) from += taps[0].place * static_cast<std::size_t>(steps[axis]);
    }
    y[i] = is_inside ? x[from] : outside;
  }
  return {};
}

// The nearest value that the type holds; whole numbers are cut toward zero.
template <class T>
T to_type(Real<T> x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x;
  } else {
    const auto low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = std::nextafter(static_cast<double>(std::numeric_limits<T>::max()), 0.0);
    if (x >= static_cast<double>(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    return static_cast<T>(std::clamp(x, low, high));
  }
}

// One axis after the other: the filters are products of one filter for each axis.
template <class T>
Status interpolate(Call& call, const std::vector<Plan>& plans, const Sizes& to, double outside) {
  using R = Real<T>;
  const std::span<const T> x = call.values<T>(0);
  std::vector<R> values(x.begin(), x.end());
  Sizes dims = call.input(0).dims();
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!plans[axis].changes) continue;
    Sizes made = dims;
    made[axis] = to[axis];
    ASSIGN(Tensor next, Tensor::make(ir::kElement<R>, made));
    const std::span<R> y = next.mutable_values<R>();
    const auto inner = static_cast<std::size_t>(product(dims, axis + 1, dims.size()));
    const auto before = static_cast<std::size_t>(dims[axis]);
    const auto after = static_cast<std::size_t>(made[axis]);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::size_t outer = i / inner / after, place = i / inner % after;
      const auto& taps = plans[axis].taps[place];
      for (const Tap<double>& tap : taps) {
        const std::size_t from = (outer * before + tap.place) * inner + i % inner;
        y[i] += static_cast<R>(tap.weight) * values[from];
      }
      if (taps.empty()) y[i] = static_cast<R>(outside);
    }
    values.assign(y.begin(), y.end());
    dims = std::move(made);
  }
  ASSIGN(const std::span<T> y, call.make<T>(0, to));
  std::transform(values.begin(), values.end(), y.begin(), to_type<T>);
  return {};
}

template <class T>
Status resize_as(Call& call, const std::vector<Plan>& plans, const Sizes& to,
                 const Resampling& how) {
  if (how.mode != Mode::kNearest) return interpolate<T>(call, plans, to, how.extrapolation);
  return move_nearest<T>(call, plans, to, to_type<T>(static_cast<Real<T>>(how.extrapolation)));
}

template <class... Ts>
Status choose_type(Types<Ts...>, Call& call, const std::vector<Plan>& plans, const Sizes& to,
                   const Resampling& how) {
  const ElementType type = call.input(0).type();
  Status out = call.refuse("type", {{"type", std::string(ir::name(type))}});
  const auto attempt = [&]<class T>() {
    if (type == ir::kElement<T>) out = resize_as<T>(call, plans, to, how);
  };
  (attempt.template operator()<Ts>(), ...);
  if (how.mode != Mode::kNearest) return out;
  if (type == ElementType::kBool) out = move_nearest<bool>(call, plans, to, false);
  if (type == ElementType::kString) out = move_nearest<std::string>(call, plans, to, "");
  return out;
}

}  // namespace

Status resize(Call& call, const std::vector<ResizedAxis>& axes, const Resampling& how) {
  std::vector<Plan> plans;
  Sizes to;
  for (const ResizedAxis& axis : axes) {
    if (axis.from < 1) return refuse_empty(call, call.input(0).dims());
    to.push_back(axis.to);
    if (axis.to < 0 || (axis.to > kLongest && axis.to != axis.from))
      return refuse_shapes(call, call.input(0).dims(), to);
  }
  if (!ir::count(to)) return refuse_shapes(call, call.input(0).dims(), to);
  for (const ResizedAxis& axis : axes) {
    ASSIGN(Plan each, plan(call, axis, how));
    plans.push_back(std::move(each));
  }
  return choose_type(Numbers(), call, plans, to, how);
}

std::int64_t scaled_size(std::int64_t size, float scale) {
  const float scaled = std::floor(static_cast<float>(size) * scale);
  return scaled < 0x1p62F ? static_cast<std::int64_t>(scaled) : -1;
}

Dim scaled_size(Dim size, float scale) {
  if (size.is_known()) return scaled_size(size.value(), scale);
  // Short fractions of powers of two are exact, whatever the size.
  for (int bits = 0; bits <= 8; ++bits) {
    const float numerator = std::ldexp(scale, bits);
    if (numerator == std::floor(numerator) && numerator < 0x1p16F)
      return floor_div(size * Dim(static_cast<std::int64_t>(numerator)), Dim(1 << bits));
  }
  return Dim::unknown();
}

Status check_scales(const Site& site, const Floats& scales, std::size_t rank) {
  const bool fits = scales.size() == rank &&
                    std::all_of(scales.begin(), scales.end(),
                                [](float scale) { return scale > 0 && std::isfinite(scale); });
  if (fits) return {};
  return site.refuse("scales",
                     {{"count", format("{}", scales.size())}, {"rank", format("{}", rank)}});
}

}  // namespace godwit::ops
