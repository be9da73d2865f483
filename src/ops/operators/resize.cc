// Resizes a tensor by values between its elements.
#include "ops/resize.h"

#include <cmath>

#include "ops/expect.h"

namespace godwit::ops::operators {
namespace {

// Opset 10 had only X and scales.
std::size_t scales_input(const Site& site) { return site.opset() < 11 ? 1 : 2; }
constexpr std::size_t kRoi = 1, kSizes = 3;

// The axes that the lists name, in their order; all of them without the attribute.
Result<std::vector<std::size_t>> named_axes(const Site& site, std::size_t rank) {
  std::vector<std::size_t> out;
  if (!site.has("axes")) {
    for (std::size_t i = 0; i < rank; ++i) out.push_back(i);
    return out;
  }
  const Ints list = site.integers("axes");
  TRY(site.axes(list, rank));
  for (const std::int64_t each : list) {
    ASSIGN(const std::size_t axis, site.axis(each, rank));
    out.push_back(axis);
  }
  return out;
}

// One scale for all named axes, so that the result is not larger, or not smaller, than `sizes`.
std::optional<double> common_scale(const Site& site, const Sizes& dims, const Ints& sizes,
                                   const std::vector<std::size_t>& axes) {
  const std::string_view policy = site.text("keep_aspect_ratio_policy");
  if (policy != "not_larger" && policy != "not_smaller") return std::nullopt;
  std::optional<double> out;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double scale = static_cast<double>(sizes[i]) / static_cast<double>(dims[axes[i]]);
    if (!out || (policy == "not_larger" ? scale < *out : scale > *out)) out = scale;
  }
  return out;
}

Result<std::vector<ResizedAxis>> by_sizes(const Site& site, const Sizes& dims, const Ints& sizes,
                                          const std::vector<std::size_t>& axes) {
  std::vector<ResizedAxis> out;
  for (const std::int64_t dim : dims) out.push_back({dim, dim, 1});
  if (sizes.size() != axes.size()) return refuse_shapes(site, sizes, dims);
  for (const std::size_t axis : axes) {
    if (dims[axis] < 1) return refuse_empty(site, dims);
  }
  const std::optional<double> common = common_scale(site, dims, sizes, axes);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    ResizedAxis& axis = out[axes[i]];
    const auto from = static_cast<double>(axis.from);
    axis.to = common ? static_cast<std::int64_t>(std::floor(*common * from + 0.5)) : sizes[i];
    axis.scale = common ? *common : static_cast<double>(sizes[i]) / from;
    if (sizes[i] < 1) return refuse_shapes(site, sizes, dims);
  }
  return out;
}

Result<std::vector<ResizedAxis>> by_scales(const Site& site, const Sizes& dims,
                                           const std::vector<double>& scales,
                                           const std::vector<std::size_t>& axes) {
  TRY(check_scales(site, Floats(scales.begin(), scales.end()), axes.size()));
  std::vector<ResizedAxis> out;
  for (const std::int64_t dim : dims) out.push_back({dim, dim, 1});
  for (std::size_t i = 0; i < axes.size(); ++i) {
    ResizedAxis& axis = out[axes[i]];
    axis.scale = scales[i];
    axis.to = scaled_size(axis.from, static_cast<float>(scales[i]));
  }
  return out;
}

// Sizes may be symbols where no common scale is asked for.
Result<Shape> inferred(const Inference& n, const Shape& shape) {
  ASSIGN(const std::vector<std::size_t> axes, named_axes(n, shape.size()));
  Shape out = shape;
  for (const std::size_t axis : axes) out[axis] = Dim::unknown();
  Sizes dims;
  for (const Dim dim : shape) dims.push_back(dim.is_known() ? dim.value() : 1);
  const auto sizes = n.content(kSizes);
  const std::string_view policy = n.text("keep_aspect_ratio_policy");
  const bool stretches = policy.empty() || policy == "stretch";
  const Tensor* const scales = n.constant(scales_input(n));
  if (n.opset() >= 11 && sizes && sizes->size() == axes.size() && stretches) {
    for (std::size_t i = 0; i < axes.size(); ++i) out[axes[i]] = (*sizes)[i];
  } else if (n.opset() >= 11 && n.has_input(kSizes)) {
    const bool is_known = std::all_of(axes.begin(), axes.end(),
                                      [&](std::size_t axis) { return shape[axis].is_known(); });
    const auto numbers = n.integers(kSizes);
    if (!is_known || !numbers) return out;
    ASSIGN(const std::vector<ResizedAxis> made, by_sizes(n, dims, *numbers, axes));
    for (const std::size_t axis : axes) out[axis] = made[axis].to;
  } else if (scales && scales->count() == static_cast<std::int64_t>(axes.size())) {
    const auto values = to_doubles(*scales);
    for (std::size_t i = 0; values && i < axes.size(); ++i)
      out[axes[i]] = scaled_size(shape[axes[i]], static_cast<float>((*values)[i]));
  }
  return out;
}

Status infer(Inference& n) {
  n.set(0, n.element(0), std::nullopt);
  if (!n.shape(0)) return {};
  ASSIGN(Shape out, inferred(n, *n.shape(0)));
  n.set(0, n.element(0), std::move(out));
  return {};
}

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};
template <class Value, std::size_t kCount>
Result<Value> choose(const Site& site, std::string_view attribute,
                     const Named<Value> (&rows)[kCount]) {
  for (const Named<Value>& row : rows) {
    if (row.name == site.text(attribute)) return row.value;
  }
  return refuse_attribute(site, attribute);
}

using enum Resampling::Mode;
using enum Resampling::Place;
using enum Resampling::Nearest;
constexpr Named<Resampling::Mode> kModes[] = {
    {"nearest", kNearest}, {"linear", kLinear}, {"cubic", kCubic}};
constexpr Named<Resampling::Place> kPlaces[] = {{"half_pixel", kHalfPixel},
                                                {"half_pixel_symmetric", kHalfPixelSymmetric},
                                                {"pytorch_half_pixel", kPytorchHalfPixel},
                                                {"tf_half_pixel_for_nn", kHalfPixelForNearest},
                                                {"align_corners", kAlignCorners},
                                                {"asymmetric", kAsymmetric},
                                                {"tf_crop_and_resize", kCropAndResize}};
constexpr Named<Resampling::Nearest> kRoundings[] = {{"round_prefer_floor", kPreferFloor},
                                                     {"round_prefer_ceil", kPreferCeil},
                                                     {"floor", kFloor},
                                                     {"ceil", kCeil}};

Result<Resampling> read_resampling(const Site& site) {
  Resampling out;
  ASSIGN(out.mode, choose(site, "mode", kModes));
  if (site.opset() < 11) return out;
  ASSIGN(out.place, choose(site, "coordinate_transformation_mode", kPlaces));
  ASSIGN(out.nearest, choose(site, "nearest_mode", kRoundings));
  out.cubic_a = static_cast<double>(site.number("cubic_coeff_a"));
  out.excludes_outside = site.flag("exclude_outside");
  out.antialiases = site.flag("antialias");
  out.extrapolation = static_cast<double>(site.number("extrapolation_value"));
  return out;
}

Status evaluate(Call& call) {
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const std::vector<std::size_t> named, named_axes(call, dims.size()));
  ASSIGN(const Resampling how, read_resampling(call));
  std::vector<ResizedAxis> axes;
  const bool has_sizes =
      call.opset() >= 11 && call.has_input(kSizes) && !call.input(kSizes).empty();
  if (has_sizes) {
    ASSIGN(const Ints sizes, call.integers(kSizes));
    ASSIGN(axes, by_sizes(call, dims, sizes, named));
  } else {
    const auto scales = to_doubles(call.input(scales_input(call)));
    ASSIGN(axes, by_scales(call, dims, scales.value_or(std::vector<double>()), named));
  }
  if (how.place == kCropAndResize) {
    const auto roi = to_doubles(call.input(kRoi));
    if (!roi || roi->size() != 2 * named.size())
      return refuse_shapes(call, call.input(kRoi).dims(),
                           {static_cast<std::int64_t>(named.size())});
    for (std::size_t i = 0; i < named.size(); ++i) {
      axes[named[i]].roi_start = (*roi)[i];
      axes[named[i]].roi_end = (*roi)[named.size() + i];
    }
  }
  return ops::resize(call, axes, how);
}

}  // namespace

extern const Operator resize = {
    .name = "Resize",
    .doc = "Resizes a tensor by repeating elements or by values between them.",
    .since = 10,
    .inputs =
        {{"X", 'T', classic(13)},
         {.name = "scales", .variable = 'S', .types = kFloat, .until = 10},
         {.name = "roi", .variable = 'R', .types = kClassicFloats, .since = 11, .until = 12},
         {.name = "roi", .variable = 'R', .types = kClassicFloats, .kind = kOptional, .since = 13},
         {.name = "scales", .variable = 'S', .types = kFloat, .since = 11, .until = 12},
         {.name = "scales", .variable = 'S', .types = kFloat, .kind = kOptional, .since = 13},
         {.name = "sizes", .variable = 'I', .types = kInt64, .kind = kOptional, .since = 11}},
    .outputs = {{"Y", 'T', classic(13)}},
    .attributes = {{.name = "antialias", .fallback = 0, .since = 18},
                   {.name = "axes", .since = 18},
                   {.name = "coordinate_transformation_mode",
                    .fallback = "half_pixel",
                    .since = 11},
                   {.name = "cubic_coeff_a", .fallback = -0.75F, .since = 11},
                   {.name = "exclude_outside", .fallback = 0, .since = 11},
                   {.name = "extrapolation_value", .fallback = 0.0F, .since = 11},
                   {.name = "keep_aspect_ratio_policy", .fallback = "stretch", .since = 18},
                   {"mode", "nearest"},
                   {.name = "nearest_mode", .fallback = "round_prefer_floor", .since = 11}},
    .revisions = {19},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
