// Device memory is host memory, so a CPU tensor on the same bytes is all that a CPU kernel needs.
#include "alias.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>

#include "allocator.h"

namespace godwit {
namespace {

c10::Storage host_storage(size_t bytes, c10::DataPtr data) {
  return c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes,
                                               std::move(data), c10::GetCPUAllocator(), true);
}

// A tensor is given its device when it is made and has no setter for it; a pointer to the protected
// member is one.
struct Opened : c10::TensorImpl {
  static constexpr auto device = &Opened::device_opt_;
  static constexpr auto keys = &Opened::key_set_;
};

void forget(void* impl) { c10::raw::intrusive_ptr::decref(static_cast<c10::StorageImpl*>(impl)); }

}  // namespace

at::Tensor on_storage(const c10::Storage& storage, const at::Tensor& like, c10::DispatchKey key) {
  return on_storage(storage, like, key, like.storage_offset());
}

at::Tensor on_storage(const c10::Storage& storage, const at::Tensor& like, c10::DispatchKey key,
                      int64_t offset) {
  auto tensor = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage),
                                                         c10::DispatchKeySet(key), like.dtype());
  c10::TensorImpl* const impl = tensor.unsafeGetTensorImpl();
  impl->set_sizes_and_strides(like.sizes(), like.strides(), offset);
  if (like.unsafeGetTensorImpl()->is_wrapped_number()) impl->set_wrapped_number(true);
  if (like.is_conj()) impl->_set_conj(true);
  if (like.is_neg()) impl->_set_neg(true);
  return tensor;
}

at::Tensor borrow_on_host(const at::Tensor& tensor) {
  c10::StorageImpl& impl = *tensor.storage().unsafeGetStorageImpl();
  return on_storage(host_storage(impl.nbytes(), {impl.mutable_data(), c10::Device(c10::kCPU)}),
                    tensor, c10::DispatchKey::CPU);
}

at::Tensor share_on_host(const at::Tensor& tensor) {
  c10::StorageImpl* const impl = tensor.storage().unsafeGetStorageImpl();
  c10::raw::intrusive_ptr::incref(impl);
  c10::DataPtr data(impl->mutable_data(), impl, &forget, c10::Device(c10::kCPU));
  return on_storage(host_storage(impl->nbytes(), std::move(data)), tensor, c10::DispatchKey::CPU);
}

void move_to_card(const at::Tensor& fresh, c10::DeviceIndex card) {
  c10::StorageImpl& storage = *fresh.storage().unsafeGetStorageImpl();
  if (storage.device().is_cpu()) adopt(storage, card);
  c10::TensorImpl& impl = *fresh.unsafeGetTensorImpl();
  impl.*Opened::device = c10::Device(kNpu, card);
  impl.*Opened::keys = (impl.*Opened::keys).remove_backend(c10::BackendComponent::CPUBit) |
                       c10::DispatchKeySet(c10::BackendComponent::PrivateUse1Bit);
}

}  // namespace godwit
