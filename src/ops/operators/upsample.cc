// Enlarges an image by repeating elements or by values between them; Resize took its place.
#include "ops/resize.h"

#include "ops/expect.h"
#include "ops/term.h"

namespace godwit::ops::operators {
namespace {

// Scales moved twice: two attributes for the axes of an image, a list, and an input.
Floats given_scales(const Site& site) {
  if (site.opset() >= 7) return site.numbers("scales");
  return {1, 1, site.number("height_scale"), site.number("width_scale")};
}

Status infer(Inference& n) {
  n.set(0, n.element(0), std::nullopt);
  if (!n.shape(0)) return {};
  Shape out(n.shape(0)->size(), Dim::unknown());
  std::optional<Floats> scales = given_scales(n);
  if (n.opset() >= 9) {
    const auto values = n.constant(1) ? to_doubles(*n.constant(1)) : std::nullopt;
    scales = values ? std::optional(Floats(values->begin(), values->end())) : std::nullopt;
  }
  if (scales) {
    TRY(check_scales(n, *scales, out.size()));
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = scaled_size((*n.shape(0))[i], (*scales)[i]);
  }
  n.set(0, n.element(0), std::move(out));
  return {};
}

Status evaluate(Call& call) {
  const Sizes& dims = call.input(0).dims();
  Floats scales = given_scales(call);
  if (call.opset() >= 9) {
    const auto values = to_doubles(call.input(1));
    if (values) scales.assign(values->begin(), values->end());
  }
  TRY(check_scales(call, scales, dims.size()));
  std::vector<ResizedAxis> axes;
  for (std::size_t i = 0; i < dims.size(); ++i)
    axes.push_back({dims[i], scaled_size(dims[i], scales[i]), static_cast<double>(scales[i])});
  Resampling how;
  const std::string_view mode = call.text("mode");
  if (mode == "linear" || mode == "bilinear")
    how.mode = Resampling::Mode::kLinear;
  else if (mode != "nearest")
    return refuse_attribute(call, "mode");
  return resize(call, axes, how);
}

// Opset 10 gave it to Resize, whose samples opset 11 moved.
Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  ValueId scales = e.input(1);
  if (e.opset() < 9) {
    Floats list = given_scales(e);
    scales = e.constant(Tensor::of<float>({static_cast<std::int64_t>(list.size())}, list));
  }
  const std::string mode(e.text("mode") == "bilinear" ? "linear" : e.text("mode"));
  e.set_output(0, x.then("Resize", {ir::kNone, scales},
                         {{"mode", mode},
                          {"coordinate_transformation_mode", std::string("asymmetric")},
                          {"nearest_mode", std::string("floor")}}));
  return {};
}

}  // namespace

extern const Operator upsample = {
    .name = "Upsample",
    .doc = "Enlarges an image by repeating elements or by values between them.",
    .until = 9,
    .inputs = {{"X", 'T', kClassicFloats | kIndices | kBool | since(7, kClassic)},
               {.name = "scales", .variable = 'S', .types = kFloat, .since = 9}},
    .outputs = {{"Y", 'T', kClassicFloats | kIndices | kBool | since(7, kClassic)}},
    .attributes = {{.name = "height_scale", .fallback = kMustBeThere, .until = 6},
                   {"mode", "nearest"},
                   {.name = "scales", .fallback = kMustBeThere, .since = 7, .until = 8},
                   {.name = "width_scale", .fallback = kMustBeThere, .until = 6}},
    .numerics = Numerics::kReduction,
    .infer = infer,
    .evaluate = evaluate,
    .expand = expand,
};

}  // namespace godwit::ops::operators
