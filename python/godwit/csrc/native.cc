// What ATen wants from a backend itself: creation, copies, storages, and the two views that all
// others are made of.
#include <ATen/EmptyTensor.h>
#include <ATen/InferSize.h>
#include <ATen/TensorUtils.h>
#include <ATen/ops/_to_copy_native.h>
#include <ATen/ops/empty.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "alias.h"
#include "allocator.h"
#include "numerics.h"
#include "support.h"
#include "support_table.h"

namespace godwit {
namespace {

using at::IntArrayRef;
using at::Tensor;
template <class T>
using Maybe = c10::optional<T>;

const c10::DispatchKeySet kKeys(kNpuKey);

// Makes the card current that a tensor shall be created on.
class CardGuard {
 public:
  explicit CardGuard(const Maybe<c10::Device>& device) : old_(current_card()) {
    if (!device || !device->has_index()) return;
    check_card(device->index());
    set_current_card(device->index());
  }
  ~CardGuard() { set_current_card(old_); }
  CardGuard(const CardGuard&) = delete;
  CardGuard& operator=(const CardGuard&) = delete;

 private:
  c10::DeviceIndex old_;
};

void check_dense(const Maybe<c10::Layout>& layout, const Maybe<bool>& pinned) {
  TORCH_CHECK_NOT_IMPLEMENTED(!layout || *layout == c10::kStrided,
                              say("device.dense_creation", {{"layout", c10::str(*layout)}}));
  TORCH_CHECK(!pinned || !*pinned, "Only dense CPU tensors can be pinned");
}

c10::ScalarType type_or_default(const Maybe<c10::ScalarType>& type) {
  return type.value_or(c10::get_default_dtype_as_scalartype());
}

Tensor empty_memory_format(IntArrayRef sizes, Maybe<c10::ScalarType> type,
                           Maybe<c10::Layout> layout, Maybe<c10::Device> device, Maybe<bool> pinned,
                           Maybe<c10::MemoryFormat> format) {
  check_dense(layout, pinned);
  check_creation(type_or_default(type));
  const CardGuard card(device);
  return at::detail::empty_generic(sizes, npu_allocator(), kKeys, type_or_default(type), format);
}

Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, Maybe<c10::ScalarType> type,
                     Maybe<c10::Layout> layout, Maybe<c10::Device> device, Maybe<bool> pinned) {
  check_dense(layout, pinned);
  check_creation(type_or_default(type));
  const CardGuard card(device);
  return at::detail::empty_strided_generic(sizes, strides, npu_allocator(), kKeys,
                                           type_or_default(type));
}

Tensor on_host(const Tensor& tensor) { return is_npu(tensor) ? borrow_on_host(tensor) : tensor; }

Tensor copy_from(const Tensor& self, const Tensor& to, bool) {
  static const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow("aten::_copy_from", "");
  static const Operator& copies = find_operator(handle);
  if (is_npu(self) && is_npu(to)) check_cast(self.scalar_type(), to.scalar_type());
  const Tensor host = on_host(to);
  host.copy_(on_host(self));
  // A cast can overflow; bytes that pass as they are cannot.
  if (chip_numerics.saturates && self.scalar_type() != to.scalar_type())
    saturate_stored(copies, host);
  return to;
}

// A cast of a tensor that lies on the device; the result stays there.
Tensor to_copy(const Tensor& self, Maybe<c10::ScalarType> type, Maybe<c10::Layout> layout,
               Maybe<c10::Device> device, Maybe<bool> pinned, bool non_blocking,
               Maybe<c10::MemoryFormat> format) {
  const bool stays = !device || device->type() == kNpu;
  if (type && stays && *type != self.scalar_type()) type = type_of_cast(*type);
  return at::native::_to_copy(self, type, layout, device, pinned, non_blocking, format);
}

Tensor copy_from_and_resize(const Tensor& self, const Tensor& to) {
  const_cast<Tensor&>(to).resize_(self.sizes());
  return copy_from(self, to, false);
}

void check_storage(const Tensor& self, const c10::Storage& source) {
  TORCH_CHECK(source.device() == self.device(),
              "Attempted to set the storage of a tensor on device \"", self.device(),
              "\" to a storage on different device \"", source.device(), "\"");
}

Tensor& set_storage(Tensor& self, c10::Storage source, int64_t offset, IntArrayRef sizes,
                    IntArrayRef strides) {
  check_storage(self, source);
  c10::TensorImpl* const impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(source));
  if (strides.data() || sizes.empty())
    impl->set_sizes_and_strides(sizes, strides, offset);
  else
    impl->set_sizes_and_strides(sizes, at::detail::defaultStrides(sizes), offset);
  return self;
}

Tensor& set_whole_storage(Tensor& self, c10::Storage source) {
  const auto count = static_cast<int64_t>(source.nbytes() / self.itemsize());
  return set_storage(self, std::move(source), 0, {count}, {1});
}

Tensor& set_to_tensor(Tensor& self, const Tensor& source) {
  return set_storage(self, source.storage(), source.storage_offset(), source.sizes(),
                     source.strides());
}

Tensor& set_empty(Tensor& self) {
  return set_storage(self, at::empty({0}, self.options()).storage(), 0, {0}, {1});
}

Tensor view_of(const Tensor& self, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  auto view = at::detail::make_tensor<c10::TensorImpl>(
      c10::TensorImpl::VIEW, c10::Storage(self.storage()), self.key_set(), self.dtype());
  view.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, offset);
  return view;
}

Tensor view(const Tensor& self, IntArrayRef asked) {
  const at::DimVector sizes = at::infer_size_dv(asked, self.numel());
  const auto strides = at::detail::computeStride(self.sizes(), self.strides(), sizes);
  TORCH_CHECK(strides,
              "view size is not compatible with input tensor's size and stride (at least one "
              "dimension spans "
              "across two contiguous subspaces). Use .reshape(...) instead.");
  return view_of(self, sizes, *strides, self.storage_offset());
}

Tensor as_strided(const Tensor& self, IntArrayRef sizes, IntArrayRef strides,
                  Maybe<int64_t> offset) {
  return view_of(self, sizes, strides, offset.value_or(self.storage_offset()));
}

Tensor reshape_alias(const Tensor& self, IntArrayRef sizes, IntArrayRef strides) {
  return view_of(self, sizes, strides, self.storage_offset());
}

// torch_npu holds dense tensors of host and card for alike: `parameter.data = on_card` and
// Module.to keep the parameter, so an optimizer made before the move trains what the module has.
bool can_take_place_of(const Tensor& self, const Tensor& from) {
  const auto is_dense = [](const Tensor& tensor) {
    return tensor.layout() == c10::kStrided && (tensor.is_cpu() || tensor.is_privateuseone());
  };
  return self.key_set() == from.key_set() || (is_dense(self) && is_dense(from));
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", godwit::empty_memory_format);
  m.impl("empty_strided", godwit::empty_strided);
  m.impl("_copy_from", godwit::copy_from);
  m.impl("_to_copy", godwit::to_copy);
  m.impl("_copy_from_and_resize", godwit::copy_from_and_resize);
  m.impl("set_.source_Storage_storage_offset", godwit::set_storage);
  m.impl("set_.source_Storage", godwit::set_whole_storage);
  m.impl("set_.source_Tensor", godwit::set_to_tensor);
  m.impl("set_", godwit::set_empty);
  m.impl("view", godwit::view);
  m.impl("as_strided", godwit::as_strided);
  m.impl("_reshape_alias", godwit::reshape_alias);
  m.impl("_has_compatible_shallow_copy_type", godwit::can_take_place_of);
}
// A copy is what resolves conjugation and negation: it must not ask for that itself.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
  m.impl("_copy_from_and_resize", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(aten, Negative, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
  m.impl("_copy_from_and_resize", torch::CppFunction::makeFallthrough());
}
