// The statistics kernels of SyncBatchNorm: torch has them for CUDA alone, so the CPU fallback finds
// none.
#include <ATen/Tensor.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

#include "alias.h"

namespace godwit {
namespace {

using at::Tensor;
#if GODWIT_TORCH >= 205
using Maybe = std::optional<Tensor>;
#else
using Maybe = c10::optional<Tensor>;
#endif

// Kernels below work on host tensors, in fp32 where the input is shorter, as the kernels for CUDA
// do.
Tensor host(const Tensor& tensor) { return is_npu(tensor) ? borrow_on_host(tensor) : tensor; }
Tensor host(const Maybe& tensor) { return tensor && tensor->defined() ? host(*tensor) : Tensor(); }
Tensor widened(const Tensor& tensor) {
  const Tensor on_host = host(tensor);
  const bool is_short =
      on_host.scalar_type() == at::kHalf || on_host.scalar_type() == at::kBFloat16;
  return is_short ? on_host.to(at::kFloat) : on_host;
}

// Results of `compute` become tensors of the card that `like` is on.
Tensor on_card(Tensor fresh, const Tensor& like) {
  fresh = fresh.is_contiguous() && fresh.storage().use_count() == 1 ? fresh : fresh.clone();
  move_to_card(fresh, like.device().index());
  return fresh;
}

// All dimensions but that of the channels.
std::vector<int64_t> rest_of(const Tensor& input) {
  std::vector<int64_t> dims{0};
  for (int64_t dim = 2; dim < input.dim(); ++dim) dims.push_back(dim);
  return dims;
}

// [C] as [1, C, 1, …], to be laid over `input`.
Tensor over(const Tensor& channels, const Tensor& input) {
  std::vector<int64_t> shape(static_cast<size_t>(input.dim()), 1);
  shape[1] = channels.numel();
  return channels.reshape(shape);
}

std::tuple<Tensor, Tensor> stats(const Tensor& input, double eps) {
  const Tensor x = widened(input);
  const Tensor mean = x.mean(rest_of(x));
  const Tensor variance = (x - over(mean, x)).square().mean(rest_of(x));
  return {on_card(mean, input), on_card((variance + eps).rsqrt(), input)};
}

void update_running(const Maybe& running, const Tensor& value, double momentum) {
  if (const Tensor kept = host(running); kept.defined()) {
    kept.copy_(kept.to(value.scalar_type()).mul(1 - momentum).add(value, momentum));
  }
}

// Statistics of all ranks from those of each: means weighted by counts, variance about the common
// mean.
std::tuple<Tensor, Tensor> gather_stats_with_counts(const Tensor& input, const Tensor& mean,
                                                    const Tensor& invstd, const Maybe& running_mean,
                                                    const Maybe& running_var, double momentum,
                                                    double eps, const Tensor& counts) {
  const Tensor means = widened(mean), scales = widened(invstd);
  const Tensor weights = host(counts).to(means.scalar_type()).reshape({-1, 1});
  const Tensor total = weights.sum();
  const Tensor common = (means * weights).sum(0) / total;
  const Tensor variances = scales.pow(-2) - eps;
  const Tensor squares = ((variances + (means - common).square()) * weights).sum(0);
  update_running(running_mean, common, momentum);
  update_running(running_var, squares / (total - 1), momentum);
  return {on_card(common, input), on_card((squares / total + eps).rsqrt(), input)};
}

std::tuple<Tensor, Tensor> gather_stats(const Tensor& input, const Tensor& mean,
                                        const Tensor& invstd, const Maybe& running_mean,
                                        const Maybe& running_var, double momentum, double eps,
                                        int64_t count) {
  const Tensor counts = at::ones_like(host(mean).select(1, 0), at::kFloat) * count;
  return gather_stats_with_counts(input, mean, invstd, running_mean, running_var, momentum, eps,
                                  counts);
}

Tensor elemt(const Tensor& input, const Maybe& weight, const Maybe& bias, const Tensor& mean,
             const Tensor& invstd, double /*eps*/) {
  const Tensor x = widened(input);
  Tensor y = (x - over(widened(mean), x)) * over(widened(invstd), x);
  if (const Tensor scale = host(weight); scale.defined()) y = y * over(scale, x);
  if (const Tensor shift = host(bias); shift.defined()) y = y + over(shift, x);
  return on_card(y.to(input.scalar_type()), input);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> backward_reduce(const Tensor& grad_out,
                                                           const Tensor& input, const Tensor& mean,
                                                           const Tensor& invstd,
                                                           const Maybe& weight, bool input_g,
                                                           bool weight_g, bool bias_g) {
  const Tensor x = widened(input), dy = widened(grad_out);
  const Tensor sum_dy = dy.sum(rest_of(x));
  const Tensor sum_dy_xmu = (dy * (x - over(widened(mean), x))).sum(rest_of(x));
  const Tensor scale = host(weight);
  const auto type = scale.defined() ? scale.scalar_type() : x.scalar_type();
  Tensor grad_weight, grad_bias;
  if (weight_g) grad_weight = on_card((sum_dy_xmu * widened(invstd)).to(type), input);
  if (bias_g) grad_bias = on_card(sum_dy.to(type, false, true), input);
  if (!input_g) return {Tensor(), Tensor(), grad_weight, grad_bias};
  return {on_card(sum_dy, input), on_card(sum_dy_xmu, input), grad_weight, grad_bias};
}

Tensor backward_elemt(const Tensor& grad_out, const Tensor& input, const Tensor& mean,
                      const Tensor& invstd, const Maybe& weight, const Tensor& sum_dy,
                      const Tensor& sum_dy_xmu, const Tensor& count) {
  const Tensor x = widened(input), dy = widened(grad_out), scale = widened(invstd);
  const Tensor total = host(count).sum().to(x.scalar_type());
  const Tensor centered = x - over(widened(mean), x);
  const Tensor projection = over(scale.square() * widened(sum_dy_xmu) / total, x);
  Tensor dx = (dy - over(widened(sum_dy) / total, x) - centered * projection) * over(scale, x);
  if (const Tensor gamma = host(weight); gamma.defined()) dx = dx * over(gamma, x);
  return on_card(dx.to(input.scalar_type()), input);
}

std::tuple<Tensor, Tensor> update_stats(const Tensor& input, const Maybe& running_mean,
                                        const Maybe& running_var, double momentum) {
  const Tensor x = widened(input);
  const Tensor mean = x.mean(rest_of(x));
  const Tensor squares = (x - over(mean, x)).square();
  const Tensor variance = squares.mean(rest_of(x));
  const double count = double(x.numel()) / double(x.size(1));
  update_running(running_mean, mean, momentum);
  update_running(running_var, variance * (count / (count - 1)), momentum);
  return {on_card(mean, input), on_card(variance, input)};
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("batch_norm_stats", godwit::stats);
  m.impl("batch_norm_gather_stats", godwit::gather_stats);
  m.impl("batch_norm_gather_stats_with_counts", godwit::gather_stats_with_counts);
  m.impl("batch_norm_elemt", godwit::elemt);
  m.impl("batch_norm_backward_reduce", godwit::backward_reduce);
  m.impl("batch_norm_backward_elemt", godwit::backward_elemt);
  m.impl("batch_norm_update_stats", godwit::update_stats);
}
