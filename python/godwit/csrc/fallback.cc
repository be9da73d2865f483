// The boxed call: lend each npu tensor to the host, call, take back what changed, give results to
// the card.
#include "fallback.h"

#include <optional>

#include <ATen/core/IListRef.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/SmallVector.h>
#include <torch/library.h>

#include "alias.h"
#include "allocator.h"
#include "generator.h"
#include "numerics.h"
#include "support.h"
#include "support_table.h"

namespace godwit {
namespace {

using at::Tensor;

// A tensor of the device, the host's view of it, and where its bytes were before the call.
struct Loan {
  Tensor npu;
  Tensor host;
  const void* data;
  bool is_written;
  Tensor wide;  // fp32 in place of a written fp16 tensor
};

class HostCall {
 public:
  HostCall(const c10::OperatorHandle& shown, const c10::OperatorHandle& target,
           torch::jit::Stack* stack)
      : op_(find_operator(shown)), target_(target), stack_(*stack) {}

  void run() {
    lend_arguments();
    check_support(op_, type_);
    call();
    for (Loan& loan : loans_) take_back(loan);
    return_results();
  }

 private:
  void lend_arguments();
  void lend(c10::IValue& value, size_t index);
  Tensor lend(Tensor tensor, size_t index);
  Tensor lend_new(Tensor tensor, size_t index);
  void note_host_tensor(const Tensor& tensor);
  void check_same_card(const Tensor& tensor);
  void call();
  void take_back(Loan& loan);
  void return_results();
  Tensor give(const Tensor& result);

  const Operator& op_;
  const c10::OperatorHandle& target_;
  torch::jit::Stack& stack_;
  c10::SmallVector<Loan, 6> loans_;
  c10::SmallVector<const c10::StorageImpl*, 2> of_host_;
  Tensor mistake_;  // a tensor of the host where one of the device belongs
  c10::DeviceIndex card_ = -1;
  c10::ScalarType type_ = c10::ScalarType::Undefined;
};

void HostCall::lend_arguments() {
  const size_t count = op_.writes.size();
  for (size_t i = 0; i < count; ++i) lend(stack_[stack_.size() - count + i], i);
  if (card_ < 0) card_ = current_card();
  TORCH_CHECK(!mistake_.defined() || loans_.empty(),
              "Expected all tensors to be on the same device, but found at least two devices, npu:",
              int{card_}, " and cpu! (when calling ", op_.name, ")");
}

void HostCall::lend(c10::IValue& value, size_t index) {
  if (value.isTensor()) {
    value = lend(std::move(value).toTensor(), index);
  } else if (value.isTensorList()) {
    c10::List<Tensor> lent;
    for (Tensor& tensor : value.toTensorVector()) lent.push_back(lend(std::move(tensor), index));
    value = std::move(lent);
  } else if (value.isOptionalTensorList()) {
    c10::List<c10::optional<Tensor>> lent;
    for (const c10::optional<Tensor>& tensor : value.toOptionalTensorVector())
      lent.push_back(tensor ? c10::optional<Tensor>(lend(*tensor, index)) : tensor);
    value = std::move(lent);
  } else if (value.isDevice() && value.toDevice().type() == kNpu) {
    if (card_ < 0) card_ = resolve(value.toDevice()).index();
    value = c10::Device(c10::kCPU);
  } else if (value.isGenerator() && value.toGenerator().device().type() == kNpu) {
    value = host_generator(value.toGenerator());
  }
}

Tensor HostCall::lend(Tensor tensor, size_t index) {
  if (!tensor.defined()) return tensor;
  if (tensor.device().type() != kNpu) {
    note_host_tensor(tensor);
    return tensor;
  }
  check_same_card(tensor);
  for (Loan& loan : loans_) {
    if (!loan.npu.is_same(tensor)) continue;
    loan.is_written |= op_.writes[index];
    return loan.wide.defined() ? loan.wide : loan.host;
  }
  if (type_ == c10::ScalarType::Undefined ||
      (!c10::isFloatingType(type_) && c10::isFloatingType(tensor.scalar_type())))
    type_ = tensor.scalar_type();
  return lend_new(std::move(tensor), index);
}

Tensor HostCall::lend_new(Tensor tensor, size_t index) {
  const c10::StorageImpl* const storage = tensor.storage().unsafeGetStorageImpl();
  Tensor host;
  for (const Loan& loan : loans_)
    if (loan.npu.storage().unsafeGetStorageImpl() == storage)
      host = on_storage(loan.host.storage(), tensor, c10::DispatchKey::CPU);
  if (!host.defined()) host = borrow_on_host(tensor);
  loans_.push_back({std::move(tensor), host, storage->data(), op_.writes[index], {}});
  if (C10_LIKELY(!reads_rounded(op_))) return host;
  if (!op_.writes[index]) return round_operand(op_, index, host);
  loans_.back().wide = widen_written(op_, host);
  return loans_.back().wide.defined() ? loans_.back().wide : host;
}

void HostCall::note_host_tensor(const Tensor& tensor) {
  if (tensor.layout() == c10::kStrided) of_host_.push_back(tensor.storage().unsafeGetStorageImpl());
  if (tensor.dim() && !op_.takes_host_tensors && tensor.device().is_cpu()) mistake_ = tensor;
}

void HostCall::check_same_card(const Tensor& tensor) {
  const c10::DeviceIndex card = tensor.device().index();
  if (card_ < 0) card_ = card;
  TORCH_CHECK(card == card_ || !tensor.dim(),
              "Expected all tensors to be on the same device, but found at least two devices, npu:",
              int{card_}, " and npu:", int{card}, "! (when calling ", op_.name, ")");
}

void HostCall::call() {
  const c10::impl::ExcludeDispatchKeyGuard below_autograd(
      c10::autograd_dispatch_keyset_with_ADInplaceOrView);
  if (op_.generator >= 0) {
    c10::IValue& given =
        stack_[stack_.size() - op_.writes.size() + static_cast<size_t>(op_.generator)];
    if (given.isNone()) given = host_generator(default_generator(card_));
  }
  std::optional<DefaultGeneratorSwap> numbers_of_card;
  if (C10_UNLIKELY(op_.draws)) numbers_of_card.emplace(card_);
  target_.callBoxed(&stack_);
}

// An operator may have resized a tensor it was given, or moved its storage.
void HostCall::take_back(Loan& loan) {
  if (C10_UNLIKELY(loan.wide.defined())) narrow_written(op_, loan.wide, loan.host);
  if (loan.is_written) saturate_result(op_, loan.host);
  c10::StorageImpl& host = *loan.host.storage().unsafeGetStorageImpl();
  c10::StorageImpl& npu = *loan.npu.storage().unsafeGetStorageImpl();
  if (C10_UNLIKELY(host.data() != npu.data() || host.nbytes() != npu.nbytes()) &&
      host.data() != loan.data) {
    const size_t bytes = host.nbytes();
    const c10::DeviceIndex card = loan.npu.device().index();
    npu.set_data_ptr_noswap(
        adopt(host.set_data_ptr(c10::DataPtr(nullptr, c10::Device(c10::kCPU))), bytes, card));
    npu.set_nbytes(bytes);
  }
  c10::TensorImpl* const impl = loan.npu.unsafeGetTensorImpl();
  if (C10_UNLIKELY(impl->sizes() != loan.host.sizes() || impl->strides() != loan.host.strides() ||
                   impl->storage_offset() != loan.host.storage_offset()))
    impl->set_sizes_and_strides(loan.host.sizes(), loan.host.strides(), loan.host.storage_offset());
}

void HostCall::return_results() {
  const size_t count = target_.schema().returns().size();
  for (size_t i = stack_.size() - count; i < stack_.size(); ++i) {
    c10::IValue& value = stack_[i];
    if (value.isTensor()) {
      value = give(value.toTensor());
    } else if (value.isTensorList()) {
      c10::List<Tensor> given;
      for (const Tensor& tensor : value.toTensorVector()) given.push_back(give(tensor));
      value = std::move(given);
    }
  }
}

Tensor HostCall::give(const Tensor& result) {
  if (!result.defined() || !result.device().is_cpu()) return result;
  TORCH_CHECK_NOT_IMPLEMENTED(result.layout() == c10::kStrided && !result.is_quantized(),
                              say("device.dense_result", {{"operator", op_.name}}));
  const c10::StorageImpl* const storage = result.storage().unsafeGetStorageImpl();
  for (const Loan& loan : loans_)
    if (loan.host.is_same(result) || (loan.wide.defined() && loan.wide.is_same(result)))
      return loan.npu;
  for (const Loan& loan : loans_)
    if (loan.host.storage().unsafeGetStorageImpl() == storage)
      return on_storage(loan.npu.storage(), result, kNpuKey);
  for (const c10::StorageImpl* host : of_host_)
    if (host == storage) return result;
  const Tensor stored = store_result(op_, result, type_);
  move_to_card(stored, card_);
  return stored;
}

}  // namespace

void run_on_host_as(const c10::OperatorHandle& op, const c10::OperatorHandle& target,
                    torch::jit::Stack* stack) {
  HostCall(op, target, stack).run();
}

void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  HostCall(op, op, stack).run();
}

namespace {

// True where ATen would make the operator of others although the CPU has a kernel: a structured one
// of its out form, after an allocation and a second dispatch; a norm of reductions.
bool is_composed(const c10::OperatorHandle& op) {
  using c10::DispatchKey;
  return op.hasSchema() && !op.hasKernelForDispatchKey(kNpuKey) &&
         op.hasKernelForDispatchKey(DispatchKey::CPU) &&
         (op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional) ||
          op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd));
}

// The device takes the CPU's kernel for all of them, so that one call is one dispatch and gives the
// CPU's numbers.
void take_composed() {
  static auto* const library = new torch::Library(torch::Library::IMPL, "aten",
                                                  c10::make_optional(kNpuKey), __FILE__, __LINE__);
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
    const auto op = dispatcher.findOp(name);
    if (name.name.rfind("aten::", 0) != 0 || !op || !is_composed(*op)) continue;
    const std::string full =
        name.name + (name.overload_name.empty() ? "" : "." + name.overload_name);
    library->impl(full.c_str(), torch::CppFunction::makeFromBoxedFunction<&run_on_host>());
  }
}

void refuse(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack*) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, say("device.dense_argument", {{"operator", c10::toString(op.operator_name())}}));
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&godwit::run_on_host>());
}
TORCH_LIBRARY_IMPL(_, SparsePrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&godwit::refuse>());
}
#if GODWIT_TORCH >= 202
TORCH_LIBRARY_IMPL(_, SparseCsrPrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&godwit::refuse>());
}
#endif
TORCH_LIBRARY_IMPL(_, QuantizedPrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&godwit::refuse>());
}
TORCH_LIBRARY_FRAGMENT(godwit, m) { m.def("take_composed() -> ()", godwit::take_composed); }
