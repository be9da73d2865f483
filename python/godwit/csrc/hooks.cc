// What ATen asks a backend about: generators, pinned memory, resizing, the current device.
#include <cstring>
#include <mutex>
#include <unordered_set>

#include <ATen/core/GeneratorForPrivateuseone.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/CPUAllocator.h>

#include "allocator.h"
#include "generator.h"

namespace godwit {
namespace {

// Pinned blocks are host blocks whose address is known: is_pinned() answers by it.
class PinnedAllocator final : public HostAllocator {
 public:
  static bool owns(const void* address) {
    const std::lock_guard<std::mutex> lock(mutex());
    return blocks().count(address) != 0;
  }

 private:
  c10::DataPtr make(size_t bytes) const override {
    touch();
    c10::DataPtr host = c10::GetCPUAllocator()->allocate(bytes);
    void* const data = host.get();
    const std::lock_guard<std::mutex> lock(mutex());
    blocks().insert(data);
    return {data, new c10::DataPtr(std::move(host)), &release, c10::Device(c10::kCPU)};
  }
  static void release(void* context) {
    auto* const host = static_cast<c10::DataPtr*>(context);
    {
      const std::lock_guard<std::mutex> lock(mutex());
      blocks().erase(host->get());
    }
    delete host;
  }
  static std::mutex& mutex() {
    static auto* const kept = new std::mutex;  // tensors may outlive static objects
    return *kept;
  }
  static std::unordered_set<const void*>& blocks() {
    static auto* const kept = new std::unordered_set<const void*>;
    return *kept;
  }
};

PinnedAllocator pinned;

// Without `override`: each release of torch asks for more of these.
struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const { return true; }
  bool isAvailable() const { return true; }
  void init() const { touch(); }
  bool hasPrimaryContext(c10::DeviceIndex card) const {
    return is_touched() && card < card_count();
  }
#if GODWIT_TORCH < 205
  const at::Generator& getDefaultGenerator(c10::DeviceIndex card) {
    return default_generator(card);
  }
#else
  const at::Generator& getDefaultGenerator(c10::DeviceIndex card) const {
    return default_generator(card);
  }
#endif
  at::Generator getNewGenerator(c10::DeviceIndex card) const { return new_generator(card); }

  c10::Device getDeviceFromPtr(void*) const { return {kNpu, current_card()}; }
  bool isPinnedPtr(const void* data) const { return PinnedAllocator::owns(data); }
  c10::Allocator* getPinnedMemoryAllocator() const { return &pinned; }

  c10::DeviceIndex deviceCount() const { return card_count(); }
  void setCurrentDevice(c10::DeviceIndex card) const {
    check_card(card);
    set_current_card(card);
  }
  c10::DeviceIndex getCurrentDevice() const { return current_card(); }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex card) const {
    const c10::DeviceIndex old = current_card();
    setCurrentDevice(card);
    return old;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex card) const {
    return card < 0 ? current_card() : exchangeDevice(card);
  }

  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const {
    c10::StorageImpl& impl = *storage.unsafeGetStorageImpl();
    const c10::DeviceIndex card = impl.device().index();
    c10::DataPtr fresh = adopt(c10::GetCPUAllocator()->allocate(bytes), bytes, card);
    if (impl.data() && bytes) std::memcpy(fresh.get(), impl.data(), std::min(bytes, impl.nbytes()));
    impl.set_data_ptr_noswap(std::move(fresh));
    impl.set_nbytes(bytes);
  }
};

const bool registered = [] {
  at::RegisterPrivateUse1HooksInterface(new Hooks);
#if GODWIT_TORCH < 206
  static const at::_GeneratorRegister generators(new_generator);
#endif
  return true;
}();

}  // namespace
}  // namespace godwit
