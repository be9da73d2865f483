// Ranges of quantized types, and the sizes of scales.
#include "ops/quantize.h"

#include <algorithm>
#include <cmath>

#include "ops/expect.h"
#include "ops/walk.h"

namespace godwit::ops {

Result<ScaleOf> ScaleOf::read(const Call& call, std::size_t scale) {
  const Sizes &dims = call.input(0).dims(), &sizes = call.input(scale).dims();
  ScaleOf out;
  if (call.input(scale).count() == 1) return out;
  if (call.opset() < 13 || dims.empty()) return refuse_shapes(call, dims, sizes);
  const std::int64_t block = call.integer("block_size");
  if (block < 0) return refuse_attribute(call, "block_size");
  std::size_t axis = 0;  // of a list there is only one
  if (dims.size() > 1 || block > 0) {
    ASSIGN(axis, call.axis("axis", dims.size()));
  }
  Sizes wanted = {dims[axis]};
  if (block > 0) {
    wanted = dims;
    wanted[axis] = dims[axis] / block + (dims[axis] % block != 0);
    out.block_ = static_cast<std::size_t>(block);
    out.is_blocked_ = true;
  }
  if (sizes != wanted) return refuse_shapes(call, dims, sizes);
  out.inner_ = static_cast<std::size_t>(product(dims, axis + 1, dims.size()));
  out.size_ = static_cast<std::size_t>(dims[axis]);
  out.count_ = static_cast<std::size_t>(out.is_blocked_ ? wanted[axis] : wanted[0]);
  return out;
}

void store_quantized(ElementType type, std::byte* data, std::size_t index, double value,
                     double zero, const CastRules& rules) {
  if (is_floating(type)) return store_cast(type, data, index, value + zero, rules);
  const auto width = static_cast<int>(ir::bits(type));
  const bool is_signed = type == ElementType::kInt2 || type == ElementType::kInt4 ||
                         type == ElementType::kInt8 || type == ElementType::kInt16;
  const double low = is_signed ? -std::ldexp(1.0, width - 1) : 0;
  const double high = std::ldexp(1.0, is_signed ? width - 1 : width) - 1;
  const double code = std::nearbyint(value) + zero;
  store_cast(type, data, index, std::isnan(code) ? low : std::clamp(code, low, high), rules);
}

Result<std::vector<double>> spread(const Call& call, std::size_t input, const Sizes& dims,
                                   std::size_t list_axis) {
  const std::optional<std::vector<double>> values = to_doubles(call.input(input));
  Sizes own = call.input(input).dims();
  if (!values || list_axis >= std::max<std::size_t>(dims.size(), 1))
    return refuse_shapes(call, dims, own);
  if (own.size() == 1 && own[0] == 1) own.clear();
  if (own.size() == 1 && dims.empty()) return refuse_shapes(call, dims, own);
  if (own.size() == 1) own.insert(own.end(), dims.size() - 1 - list_axis, 1);
  if (broadcast(dims, own) != dims) return refuse_shapes(call, dims, own);
  std::vector<double> out;
  for (Odometer at(dims, {broadcast_strides(own, dims)}); !at.done(); at.next())
    out.push_back((*values)[at.offset(0)]);
  return out;
}

Result<std::vector<double>> centred(const Call& call, std::size_t x, std::size_t zero,
                                    std::size_t list_axis) {
  const Tensor& tensor = call.input(x);
  std::optional<std::vector<double>> out = to_doubles(tensor);
  if (!out) return call.refuse("type", {{"type", std::string(ir::name(tensor.type()))}});
  if (!call.has_input(zero)) return *std::move(out);
  ASSIGN(const std::vector<double> zeros, spread(call, zero, tensor.dims(), list_axis));
  for (std::size_t i = 0; i < out->size(); ++i) (*out)[i] -= zeros[i];
  return *std::move(out);
}

}  // namespace godwit::ops
