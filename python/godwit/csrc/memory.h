// Accounts of memory, one per card: what is taken, what was the most and in which module, and when
// there is no room.
#pragma once

#include <cstddef>
#include <cstdint>

#include <c10/core/Device.h>

namespace godwit {

/// What a block gives back when it dies.
struct Ticket {
  int64_t bytes = 0;   // rounded as the device's allocator rounds
  uint32_t owner = 0;  // the module that asked, while history is recorded
  c10::DeviceIndex card = 0;
};

/// Counts `bytes` on `card`; throws c10::OutOfMemoryError with torch_npu's text when they do not
/// fit.
Ticket take(c10::DeviceIndex card, size_t bytes);
void give(const Ticket& ticket);

}  // namespace godwit
