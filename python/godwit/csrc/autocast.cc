// Autocast with the operator lists of torch_npu, which come with the profile: one boxed kernel per
// policy.
#include <algorithm>

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include "device.h"
#include "support_table.h"

namespace godwit {
namespace {

using at::Tensor;
using c10::ScalarType;
using torch::jit::Stack;

constexpr auto kKey = c10::DispatchKey::AutocastPrivateUse1;

ScalarType lower_type() {
#if GODWIT_TORCH >= 204
  return at::autocast::get_autocast_dtype(kNpu);
#else
  return at::autocast::get_autocast_privateuseone_dtype();
#endif
}

// Tensors of `type` in place of those that autocast may change, in the last `count` values.
void cast_arguments(Stack& stack, size_t count, ScalarType type) {
  const auto cast = [type](const Tensor& tensor) {
    return at::autocast::cached_cast(type, tensor, kNpu);
  };
  for (size_t i = stack.size() - count; i < stack.size(); ++i) {
    c10::IValue& value = stack[i];
    if (value.isTensor()) {
      if (value.toTensor().defined()) value = cast(value.toTensor());
    } else if (value.isTensorList()) {
      c10::List<Tensor> all;
      for (const Tensor& tensor : value.toTensorVector()) all.push_back(cast(tensor));
      value = std::move(all);
    }
  }
}

bool is_eligible(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() &&
         value.toTensor().device().type() == kNpu && value.toTensor().is_floating_point() &&
         value.toTensor().scalar_type() != at::kDouble;
}

void lower_precision(const c10::OperatorHandle& op, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard below(kKey);
  cast_arguments(*stack, op.schema().arguments().size(), lower_type());
  op.callBoxed(stack);
}

void to_fp32(const c10::OperatorHandle& op, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard below(kKey);
  cast_arguments(*stack, op.schema().arguments().size(), at::kFloat);
  op.callBoxed(stack);
}

// fp32 as the type of the result, unless the caller named one.
void fp32_unless_dtype(const c10::OperatorHandle& op, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard below(kKey);
  const auto& arguments = op.schema().arguments();
  const size_t first = stack->size() - arguments.size();
  if (is_eligible((*stack)[first])) {
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].name() == "dtype" && (*stack)[first + i].isNone())
        (*stack)[first + i] = at::kFloat;
  }
  op.callBoxed(stack);
}

// The widest of the types given.
void to_widest(const c10::OperatorHandle& op, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard below(kKey);
  const size_t count = op.schema().arguments().size();
  ScalarType widest = lower_type();
  const auto meet = [&widest](const c10::IValue& value) {
    if (is_eligible(value) && value.toTensor().scalar_type() == at::kFloat) widest = at::kFloat;
  };
  for (size_t i = stack->size() - count; i < stack->size(); ++i) {
    const c10::IValue& value = (*stack)[i];
    meet(value);
    if (!value.isTensorList()) continue;
    for (const Tensor& tensor : value.toTensorVector()) meet(tensor);
  }
  cast_arguments(*stack, count, widest);
  op.callBoxed(stack);
}

void refuse(const c10::OperatorHandle& op, Stack*) {
  TORCH_CHECK(false,
              say("device.autocast_unsafe", {{"operator", c10::toString(op.operator_name())}}));
}

torch::CppFunction kernel_of(const std::string& policy) {
  using torch::CppFunction;
  if (policy == "lower_precision") return CppFunction::makeFromBoxedFunction<&lower_precision>();
  if (policy == "fp32" || policy == "fp32_appended")
    return CppFunction::makeFromBoxedFunction<&to_fp32>();
  if (policy == "fp32_unless_dtype")
    return CppFunction::makeFromBoxedFunction<&fp32_unless_dtype>();
  if (policy == "widest") return CppFunction::makeFromBoxedFunction<&to_widest>();
  TORCH_CHECK(policy == "error", "unknown autocast policy ", policy);
  return CppFunction::makeFromBoxedFunction<&refuse>();
}

// Forms that write into an argument keep the caller's type.
bool writes(const c10::FunctionSchema& schema) {
  const auto& all = schema.arguments();
  return std::any_of(all.begin(), all.end(),
                     [](const auto& a) { return a.alias_info() && a.alias_info()->isWrite(); });
}

// Registers `policy` for all overloads of the names ("aten::mm", "aten::pow"); names that this
// torch lacks are passed over.
int64_t set_autocast(const std::string& policy, const std::vector<std::string>& names) {
  static auto* const library = new torch::Library(torch::Library::IMPL, "aten",
                                                  c10::make_optional(kKey), __FILE__, __LINE__);
  int64_t registered = 0;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (std::find(names.begin(), names.end(), name.name) == names.end()) continue;
    const auto op = c10::Dispatcher::singleton().findOp(name);
    if (!op || !op->hasSchema() || writes(op->schema()) || op->hasKernelForDispatchKey(kKey))
      continue;
    const std::string full =
        name.name + (name.overload_name.empty() ? "" : "." + name.overload_name);
    library->impl(full.c_str(), kernel_of(policy));
    ++registered;
  }
  return registered;
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def("set_autocast(str policy, str[] names) -> int",
        [](std::string policy, std::vector<std::string> names) {
          return godwit::set_autocast(policy, names);
        });
}
