// Stacking what the runs of a graph leave behind.
#include "ops/scan.h"

#include "ops/elements.h"
#include "ops/expect.h"

namespace godwit::ops {

Result<ir::GraphId> body_of(const Site& site) {
  const std::optional<ir::GraphId> graph = site.subgraph("body");
  if (!graph) return site.refuse("missing_attribute", {{"name", "body"}});
  return *graph;
}

Result<Tensor> stacked(const Call& call, std::span<const Datum> values, std::int64_t axis,
                       const Type& declared) {
  if (values.empty()) {
    Sizes dims;
    for (const Dim dim : declared.shape.value_or(Shape()))
      dims.push_back(dim.is_known() ? dim.value() : 0);
    ASSIGN(const std::size_t at, call.axis(axis, dims.size() + 1));
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), 0);
    return Tensor::make(declared.element, std::move(dims));
  }
  const Tensor& first = values[0].tensor;
  ASSIGN(const std::size_t at, call.axis(axis, first.rank() + 1));
  std::vector<Tensor> parts;
  for (const Datum& value : values) {
    if (!value.is_tensor() || value.tensor.type() != first.type())
      return call.refuse("type", {{"type", std::string(ir::name(value.tensor.type()))}});
    if (value.tensor.dims() != first.dims())
      return refuse_shapes(call, first.dims(), value.tensor.dims());
    Sizes dims = first.dims();
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), 1);
    parts.push_back(value.tensor.reshaped(std::move(dims)));
  }
  return joined(parts, at);
}

Result<Type> stacked_type(const Inference& n, const Type& each, std::int64_t axis, Dim count) {
  if (!each.shape) return Type::tensor(each.element);
  ASSIGN(const std::size_t at, n.axis(axis, each.shape->size() + 1));
  Type out = each;
  out.shape->insert(out.shape->begin() + static_cast<std::ptrdiff_t>(at), count);
  return out;
}

Type without_shape(const Type& type) {
  Type out = type;
  out.shape.reset();
  if (type.inner) out.inner = std::make_shared<const Type>(without_shape(*type.inner));
  return out;
}

}  // namespace godwit::ops
