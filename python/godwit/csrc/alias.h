// An npu tensor as a CPU tensor on the same storage, and back: the zero-copy bridge to the CPU's
// kernels.
#pragma once

#include <ATen/core/Tensor.h>

#include "device.h"

namespace godwit {

inline bool is_npu(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == kNpu;
}

/// Shares the storage without owning it: `tensor` must outlive the result. For the time of one
/// call.
at::Tensor borrow_on_host(const at::Tensor& tensor);

/// Shares and owns the storage; for work that outlives the call (collectives).
at::Tensor share_on_host(const at::Tensor& tensor);

/// A tensor with the geometry of `like` on `storage`; what `like` says of conjugation and negation
/// is kept.
at::Tensor on_storage(const c10::Storage& storage, const at::Tensor& like, c10::DispatchKey key);

/// The same with an offset of its own.
at::Tensor on_storage(const c10::Storage& storage, const at::Tensor& like, c10::DispatchKey key,
                      int64_t offset);

/// A CPU tensor that nobody else has seen becomes one of `card`, in place.
void move_to_card(const at::Tensor& fresh, c10::DeviceIndex card);

}  // namespace godwit
