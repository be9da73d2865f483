// Storage of the emulated device: host memory that carries the tag of a card and is counted there.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/StorageImpl.h>

#include "device.h"

namespace godwit {

/// What hands out host memory; releases of torch differ in how they ask for it.
class HostAllocator : public c10::Allocator {
 public:
#if GODWIT_TORCH < 203
  c10::DataPtr allocate(size_t bytes) const final { return make(bytes); }
#else
  c10::DataPtr allocate(size_t bytes) final { return make(bytes); }
  void copy_data(void* to, const void* from, size_t bytes) const final;
#endif
  /// No allocation without its context: a bare pointer cannot give its bytes back.
  c10::DeleterFnPtr raw_deleter() const final { return nullptr; }

 private:
  virtual c10::DataPtr make(size_t bytes) const = 0;
};

c10::Allocator* npu_allocator();

/// Host memory that an operator made becomes memory of `card`. Throws when the card has no room.
c10::DataPtr adopt(c10::DataPtr host, size_t bytes, c10::DeviceIndex card);

/// The same for a storage that nobody else has seen: it changes its device in place.
void adopt(c10::StorageImpl& storage, c10::DeviceIndex card);

}  // namespace godwit
