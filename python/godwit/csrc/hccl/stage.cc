// Staging of tensors for gloo; types that gloo cannot add travel in a wider one.
#include "stage.h"

#include <ATen/ops/mul.h>

#include "../alias.h"
#include "../numerics.h"

namespace godwit::hccl {
namespace {

at::Tensor shared(const at::Tensor& tensor) {
  TORCH_CHECK(is_npu(tensor) && tensor.layout() == c10::kStrided, "Tensors must be NPU and dense",
              error_tail("ERR02002 DIST invalid type."));
  TORCH_CHECK(tensor.is_contiguous(), "Tensors must be contiguous",
              error_tail("ERR02002 DIST invalid type."));
  return share_on_host(tensor);
}

// gloo adds these; the rest is widened.
c10::ScalarType gloo_type(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::kBool:
    case c10::kByte:
    case c10::kShort: return c10::kInt;
#if GODWIT_TORCH >= 203
    case c10::kUInt16:
    case c10::kUInt32:
    case c10::kUInt64: return c10::kLong;
#endif
    default: return dtype;
  }
}

at::Tensor scaled(const at::Tensor& host, const c10d::ReduceOp& op) {
  TORCH_CHECK(host.is_floating_point(),
              "PreMulSum Data type must be half, float, bfloat16 or double",
              error_tail("ERR02002 DIST invalid type."));
  const auto* factor = static_cast<const c10d::NCCLPreMulSumSupplement*>(op.supplement_.get());
  if (!factor->tensor_factor.defined()) return host.mul(factor->double_factor);
  const at::Tensor& tensor = factor->tensor_factor;
  return host.mul(is_npu(tensor) ? share_on_host(tensor) : tensor);
}

// What overflowed on the way is stored as the chip stores it. gloo adds without saturating, so of
// three ranks and more a sum that leaves fp16 and would come back stays at the limit.
void store_sum(const at::Tensor& host) {
  if (!chip_numerics.on) return;
  static const Operator& sum =
      find_operator(c10::Dispatcher::singleton().findSchemaOrThrow("c10d::allreduce_", ""));
  saturate_result(sum, host);
}

}  // namespace

at::Tensor as_bytes(const at::Tensor& tensor) { return shared(tensor).view({-1}).view(c10::kByte); }

std::vector<at::Tensor> as_bytes(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> all;
  for (const at::Tensor& tensor : tensors) all.push_back(as_bytes(tensor));
  return all;
}

at::Tensor as_rows(const at::Tensor& tensor) {
  TORCH_CHECK(tensor.dim() >= 1, "Scalar tensors (0-dim tensors) are not supported in alltoall",
              error_tail("ERR02007 DIST feature not supported."));
  const int64_t rows = tensor.size(0);
  const int64_t width = rows == 0 ? 1 : tensor.numel() / rows;
  return shared(tensor).view({rows, width}).view(c10::kByte);
}

Staged stage_input(const at::Tensor& input, const c10d::ReduceOp& op) {
  at::Tensor host = shared(input);
  if (op.op_ == c10d::ReduceOp::PREMUL_SUM) host = scaled(host, op);
  return {host.to(gloo_type(host.scalar_type())), nullptr};
}

Staged stage_output(const at::Tensor& output, const c10d::ReduceOp& op, int ranks) {
  const at::Tensor target = shared(output);
  const at::Tensor host = target.to(gloo_type(target.scalar_type()));
  const bool is_average = op.op_ == c10d::ReduceOp::AVG;
  return {host, [target, host, is_average, ranks]() mutable {
            store_sum(host);
            if (is_average && c10::isIntegralType(host.scalar_type(), true)) {
              host.div_(ranks, "trunc");
            } else if (is_average) {
              host.div_(ranks);
            }
            if (!host.is_same(target)) target.copy_(host);
          }};
}

c10d::ReduceOp gloo_op(const c10d::ReduceOp& op) {
  const bool is_sum = op.op_ == c10d::ReduceOp::AVG || op.op_ == c10d::ReduceOp::PREMUL_SUM;
  return is_sum ? c10d::ReduceOp(c10d::ReduceOp::SUM) : op;
}

const char* reduce_name(const c10d::ReduceOp& op) {
  switch (op.op_) {
    case c10d::ReduceOp::SUM:
    case c10d::ReduceOp::AVG:
    case c10d::ReduceOp::PREMUL_SUM: return "sum";
    case c10d::ReduceOp::PRODUCT: return "prod";
    case c10d::ReduceOp::MAX: return "max";
    case c10d::ReduceOp::MIN: return "min";
    default: break;
  }
  const char* const bitwise[] = {"BAND", "BOR", "BXOR"};
  const int at = int(op.op_) - int(c10d::ReduceOp::BAND);
  TORCH_CHECK(false, "Cannot use ReduceOp.", at >= 0 && at < 3 ? bitwise[at] : "UNUSED",
              " with HCCL", error_tail("ERR02007 DIST feature not supported."));
}

c10::ScalarType reduce_type(c10::ScalarType dtype) {
  return dtype == c10::kBool || dtype == c10::kByte ? c10::kInt : dtype;
}

}  // namespace godwit::hccl
