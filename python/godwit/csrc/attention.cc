// Which scaled_dot_product_attention: with numerics off the CPU's own choice, so that results are
// the CPU's; with numerics on the plain form, whose steps each round as the chip's do. Before 2.5
// no header of the choice is installed, and a backend that names none gets the plain form.
#include <torch/library.h>
#if GODWIT_TORCH >= 205

#include <array>

#include <ATen/native/DispatchStub.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/ops/_fused_sdp_choice.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward.h>
#include <ATen/ops/empty.h>

#include "alias.h"
#include "fallback.h"
#include "numerics.h"

namespace godwit {
namespace {

using at::Tensor;
using Given = c10::optional<Tensor>;
using Scale = c10::optional<double>;

enum Choice : int64_t { kMath = 0, kFlash = 1, kOverrideable = 4 };

// The host decides by shape, type and whether the tensor learns.
Tensor shown_to_host(const Tensor& tensor) {
  return is_npu(tensor) ? borrow_on_host(tensor).set_requires_grad(tensor.requires_grad()) : tensor;
}

int64_t choose(const Tensor& query, const Tensor& key, const Tensor& value, const Given& mask,
               double dropout, bool is_causal, Scale scale, bool is_grouped) {
  if (chip_numerics.on) return kMath;
  Given host_mask;
  if (mask && mask->defined()) host_mask = shown_to_host(*mask);
  const int64_t of_host =
      at::_fused_sdp_choice(shown_to_host(query), shown_to_host(key), shown_to_host(value),
                            host_mask, dropout, is_causal, scale, is_grouped);
  return of_host == kFlash ? kOverrideable : kMath;
}

// A backend's general form, in terms of the CPU's fused one; what only other chips return is empty.
std::tuple<Tensor, Tensor, Tensor, Tensor, c10::SymInt, c10::SymInt, Tensor, Tensor, Tensor>
forward(const Tensor& query, const Tensor& key, const Tensor& value, const Given& bias,
        double dropout, bool is_causal, bool, Scale scale) {
  auto [output, logsumexp] = at::_scaled_dot_product_flash_attention_for_cpu(
      query, key, value, dropout, is_causal, bias, scale);
  const auto none = [] { return at::empty({0}, at::TensorOptions().dtype(at::kLong)); };
  return {output,          logsumexp, none(), none(), query.sym_size(2),
          key.sym_size(2), none(),    none(), none()};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> backward(const Tensor& grad, const Tensor& query,
                                                    const Tensor& key, const Tensor& value,
                                                    const Tensor& bias, std::array<bool, 4>,
                                                    const Tensor& output, const Tensor& logsumexp,
                                                    const Tensor&, const Tensor&, c10::SymInt,
                                                    c10::SymInt, double dropout, bool is_causal,
                                                    const Tensor&, const Tensor&, Scale scale) {
  const Given mask = bias.defined() ? Given(bias) : Given();
  auto [grad_query, grad_key, grad_value] =
      at::_scaled_dot_product_flash_attention_for_cpu_backward(
          grad, query, key, value, output, logsumexp, dropout, is_causal, mask, scale);
  return {grad_query, grad_key, grad_value, Tensor()};
}

}  // namespace
}  // namespace godwit

namespace at::native {
REGISTER_PRIVATEUSE1_DISPATCH(_fused_sdp_choice_stub, &godwit::choose)
}

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("_scaled_dot_product_fused_attention_overrideable", godwit::forward);
  m.impl("_scaled_dot_product_fused_attention_overrideable_backward", godwit::backward);
}
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  const auto on_host = [] {
    return torch::CppFunction::makeFromBoxedFunction<&godwit::run_on_host>();
  };
  m.impl("_scaled_dot_product_fused_attention_overrideable", on_host());
  m.impl("_scaled_dot_product_fused_attention_overrideable_backward", on_host());
}
#endif
