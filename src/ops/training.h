// What optimizers share: the groups of tensors that they update.
#pragma once

#include "ops/call.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::training {

inline constexpr std::string_view kDomain = "ai.onnx.preview.training";

/// How many tensors are updated. Behind rate and count stand `per_tensor` lists of them one after
/// another: all tensors, all gradients, and so on. Errors: E151 lists of different lengths.
Result<std::size_t> tensor_count(const Site& site, std::size_t per_tensor);

/// Types of the outputs: all lists but the gradients, which are the second.
Status updated_types(Inference& n, std::size_t per_tensor);

/// The k-th list's entry for tensor `i`, which has the sizes and type of the tensor itself. Errors:
/// E151 another type or other sizes.
template <class T>
Result<std::span<const T>> entry(const Call& call, std::size_t count, std::size_t k,
                                 std::size_t i) {
  const Tensor& first = call.input(2 + i);
  const Tensor& wanted = call.input(2 + k * count + i);
  if (wanted.type() != ir::kElement<T>)
    return call.refuse("type", {{"type", std::string(ir::name(wanted.type()))}});
  if (wanted.dims() != first.dims())
    return call.refuse("shape",
                       {{"a", ir::to_string(first.dims())}, {"b", ir::to_string(wanted.dims())}});
  return wanted.template values<T>();
}

/// Runs `body` for each tensor with the C++ type of its elements. Errors: E151 other types.
template <class Body>
Status for_each_tensor(Call& call, std::size_t count, Body&& body) {
  for (std::size_t i = 0; i < count; ++i) {
    const ElementType type = call.input(2 + i).type();
    if (type == ElementType::kFloat)
      TRY(body.template operator()<float>(i));
    else if (type == ElementType::kDouble)
      TRY(body.template operator()<double>(i));
    else
      return call.refuse("type", {{"type", std::string(ir::name(type))}});
  }
  return {};
}

}  // namespace godwit::ops::training
