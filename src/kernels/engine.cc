// Our shapes in oneDNN's words.
#include "kernels/engine.h"

#include "base/text.h"
#include "kernels/engine_parts.h"

#if __has_include(<oneapi/dnnl/dnnl.h>)

namespace godwit::kernels::engine {
namespace {

// Spatial axes of ConvShape that count: two, or three where the first one is used.
template <class Shape>
std::size_t first_axis(const Shape& s) {
  const bool flat = s.in[0] == 1 && s.kernel[0] == 1 && s.pad_begin[0] == 0 && s.pad_end[0] == 0;
  return flat ? 1 : 0;
}

Dims with_axes(Dims dims, const ConvShape::Axes& axes, std::size_t first) {
  for (std::size_t axis = first; axis < 3; ++axis) dims.push_back(to_dim(axes[axis]));
  return dims;
}

// What the last window reads beyond the input; may be less than the padding that was asked for.
template <class Shape>
Dims end_pads(const Shape& s, const ConvShape::Axes& out, std::size_t first) {
  Dims pads;
  for (std::size_t axis = first; axis < 3; ++axis) {
    const std::size_t extent = (s.kernel[axis] - 1) * s.dilation[axis] + 1;
    const std::size_t reach = (out[axis] - 1) * s.stride[axis] + extent;
    pads.push_back(to_dim(reach) - to_dim(s.in[axis] + s.pad_begin[axis]));
  }
  return pads;
}

// oneDNN counts the gaps between taps.
Dims gaps(const ConvShape::Axes& dilation, std::size_t first) {
  Dims dims = with_axes({}, dilation, first);
  for (dnnl_dim_t& dim : dims) --dim;
  return dims;
}

}  // namespace

bool is_available() { return onednn() != nullptr; }

std::string version() {
  if (onednn() == nullptr) return "";
  const dnnl_version_t* const found = onednn()->version();
  return format("{}.{}.{}", found->major, found->minor, found->patch);
}

std::optional<Primitive> make_conv(const ConvShape& s, const float* weights, const float* bias,
                                   std::span<const PostOp> post, const Layout& in,
                                   const Layout& out) {
  if (onednn() == nullptr || s.out_pixels() * s.batch * s.channels * s.out_channels == 0) {
    return std::nullopt;
  }
  const std::size_t first = first_axis(s);
  const ConvShape::Axes out_axes{s.out(0), s.out(1), s.out(2)};
  const Dims in_dims = with_axes({to_dim(s.batch), to_dim(s.channels)}, s.in, first);
  const Dims out_dims = with_axes({to_dim(s.batch), to_dim(s.out_channels)}, out_axes, first);
  Dims weight_dims{to_dim(s.group_outputs()), to_dim(s.group_channels())};
  if (s.groups > 1) weight_dims.insert(weight_dims.begin(), to_dim(s.groups));
  weight_dims = with_axes(weight_dims, s.kernel, first);

  const dnnl_memory_desc_t in_desc = LayoutAccess::desc_or_any(in, in_dims);
  const dnnl_memory_desc_t out_desc = LayoutAccess::desc_or_any(out, out_dims);
  const dnnl_memory_desc_t weights_desc = any_desc(weight_dims);
  const Constants constants{.weights_desc = plain_desc(weight_dims),
                            .weights = weights,
                            .bias_desc = plain_desc({to_dim(s.out_channels)}),
                            .bias = bias};
  dnnl_convolution_desc_t desc{};
  if (onednn()->conv_init(&desc, dnnl_forward_inference, dnnl_convolution_direct, &in_desc,
                          &weights_desc, bias == nullptr ? nullptr : &constants.bias_desc,
                          &out_desc, with_axes({}, s.stride, first).data(),
                          gaps(s.dilation, first).data(), with_axes({}, s.pad_begin, first).data(),
                          end_pads(s, out_axes, first).data()) != dnnl_success) {
    return std::nullopt;
  }
  return PrimitiveAccess::make(&desc, post, constants);
}

std::optional<Primitive> make_matmul(std::size_t m, std::size_t n, std::size_t k,
                                     const MatrixView& weights, const float* bias,
                                     std::span<const PostOp> post) {
  if (onednn() == nullptr || m * n * k == 0) return std::nullopt;
  const Dims weight_dims{to_dim(k), to_dim(n)};
  const Dims strides{to_dim(weights.row_stride), to_dim(weights.column_stride)};
  Constants constants{
      .weights = weights.data, .bias_desc = plain_desc({1, to_dim(n)}), .bias = bias};
  onednn()->desc_by_strides(&constants.weights_desc, 2, weight_dims.data(), dnnl_f32,
                            strides.data());
  const dnnl_memory_desc_t in_desc = plain_desc({to_dim(m), to_dim(k)});
  const dnnl_memory_desc_t weights_desc = any_desc(weight_dims);
  const dnnl_memory_desc_t out_desc = plain_desc({to_dim(m), to_dim(n)});
  dnnl_matmul_desc_t desc{};
  if (onednn()->matmul_init(&desc, &in_desc, &weights_desc,
                            bias == nullptr ? nullptr : &constants.bias_desc,
                            &out_desc) != dnnl_success) {
    return std::nullopt;
  }
  return PrimitiveAccess::make(&desc, post, constants);
}

std::optional<Primitive> make_pool(const PoolShape& s, std::size_t channels, bool is_max,
                                   const Layout& in) {
  const std::size_t pixels = s.out[0] * s.out[1] * s.out[2];
  if (onednn() == nullptr || in.is_any() || s.planes * pixels == 0) return std::nullopt;
  const std::size_t first = first_axis(s);
  const Dims out_dims = with_axes({to_dim(s.planes / channels), to_dim(channels)}, s.out, first);
  const dnnl_memory_desc_t in_desc = LayoutAccess::desc(in);
  const dnnl_memory_desc_t out_desc = any_desc(out_dims);
  const dnnl_alg_kind_t average =
      s.counts_padding ? dnnl_pooling_avg_include_padding : dnnl_pooling_avg_exclude_padding;
  dnnl_pooling_v2_desc_t desc{};
  if (onednn()->pool_init(&desc, dnnl_forward_inference, is_max ? dnnl_pooling_max : average,
                          &in_desc, &out_desc, with_axes({}, s.stride, first).data(),
                          with_axes({}, s.kernel, first).data(), gaps(s.dilation, first).data(),
                          with_axes({}, s.pad_begin, first).data(),
                          end_pads(s, s.out, first).data()) != dnnl_success) {
    return std::nullopt;
  }
  return PrimitiveAccess::make(&desc, {}, {});
}

std::optional<Primitive> make_reorder(const Layout& from, const Layout& to) {
  if (onednn() == nullptr || from.is_any() || to.is_any()) return std::nullopt;
  dnnl_primitive_desc_t desc = nullptr;
  if (onednn()->reorder_create(&desc, &LayoutAccess::desc(from), onednn()->cpu,
                               &LayoutAccess::desc(to), onednn()->cpu, nullptr) != dnnl_success) {
    return std::nullopt;
  }
  return PrimitiveAccess::build(desc, {}, {});
}

}  // namespace godwit::kernels::engine

#endif
