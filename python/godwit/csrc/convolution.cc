// A backend's convolution has a name of its own; the CPU's kernel is behind the general one.
#include <torch/library.h>

#include "fallback.h"

namespace godwit {
namespace {

c10::OperatorHandle find(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
}

void forward(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  static const auto convolution = find("aten::convolution");
  run_on_host_as(convolution, convolution, stack);
}

// The general form also asks for the size of the bias: the number of output channels.
void backward(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  static const auto general = find("aten::convolution_backward");
  constexpr size_t kWeight = 2, kTransposed = 6, kGroups = 8;
  const size_t first = stack->size() - op.schema().arguments().size();
  const at::Tensor& weight = (*stack)[first + kWeight].toTensor();
  const bool is_transposed = (*stack)[first + kTransposed].toBool();
  const int64_t groups = (*stack)[first + kGroups].toInt();
  const int64_t channels = is_transposed ? weight.size(1) * groups : weight.size(0);
  const auto after_weight = stack->begin() + static_cast<std::ptrdiff_t>(first + kWeight + 1);
  stack->insert(after_weight, c10::IValue(std::vector<int64_t>{channels}));
  run_on_host_as(general, general, stack);
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("convolution_overrideable", torch::CppFunction::makeFromBoxedFunction<&godwit::forward>());
  m.impl("convolution_backward_overrideable",
         torch::CppFunction::makeFromBoxedFunction<&godwit::backward>());
}
