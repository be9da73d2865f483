// How npu tensors are laid before gloo: bytes for calls that move, a type that gloo can add for
// calls that reduce.
#pragma once

#include "hccl.h"
#include "work.h"

namespace godwit::hccl {

/// A host tensor for gloo, and what to do with it afterwards (nothing when it is an alias).
struct Staged {
  at::Tensor host;
  Finish back;
};

/// Flat bytes of `tensor`, for calls that move data and do not look at it. Throws as torch_npu when
/// it has gaps.
at::Tensor as_bytes(const at::Tensor& tensor);
std::vector<at::Tensor> as_bytes(const std::vector<at::Tensor>& tensors);

/// Rows of bytes, for calls that split the first dimension.
at::Tensor as_rows(const at::Tensor& tensor);

/// `input` ready to be reduced into `output` (the same tensor when the call works in place).
Staged stage_input(const at::Tensor& input, const c10d::ReduceOp& op);
Staged stage_output(const at::Tensor& output, const c10d::ReduceOp& op, int ranks);

/// What gloo is asked for: AVG is a sum that is divided afterwards.
c10d::ReduceOp gloo_op(const c10d::ReduceOp& op);

/// "sum", "prod", "max", "min"; throws for what HCCL has not.
const char* reduce_name(const c10d::ReduceOp& op);

/// The type that travels: torch_npu reduces bytes and booleans as int32.
c10::ScalarType reduce_type(c10::ScalarType dtype);

}  // namespace godwit::hccl
