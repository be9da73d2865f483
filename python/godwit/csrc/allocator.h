// Storage of the emulated device: host memory that carries the tag of a card and is counted there.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/StorageImpl.h>

#include "device.h"

namespace godwit {

c10::Allocator* npu_allocator();

/// Host memory that an operator made becomes memory of `card`. Throws when the card has no room.
c10::DataPtr adopt(c10::DataPtr host, size_t bytes, c10::DeviceIndex card);

/// The same for a storage that nobody else has seen: it changes its device in place.
void adopt(c10::StorageImpl& storage, c10::DeviceIndex card);

}  // namespace godwit
