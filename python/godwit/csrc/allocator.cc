// Every block is a host block with a ticket: the card and the bytes that its account gets back.
#include "allocator.h"

#include <cstring>

#include <c10/core/CPUAllocator.h>

#include "memory.h"

namespace godwit {
namespace {

struct Block {
  c10::DataPtr host;
  Ticket ticket;
};

void release(void* context) {
  auto* const block = static_cast<Block*>(context);
  give(block->ticket);
  delete block;
}

struct NpuAllocator final : HostAllocator {
  c10::DataPtr make(size_t bytes) const override {
    touch();
    return adopt(c10::GetCPUAllocator()->allocate(bytes), bytes, current_card());
  }
};

NpuAllocator allocator;
REGISTER_ALLOCATOR(kNpu, &allocator);

}  // namespace

#if GODWIT_TORCH >= 203
void HostAllocator::copy_data(void* to, const void* from, size_t bytes) const {
  std::memcpy(to, from, bytes);
}
#endif

c10::Allocator* npu_allocator() { return &allocator; }

c10::DataPtr adopt(c10::DataPtr host, size_t bytes, c10::DeviceIndex card) {
  const Ticket ticket = take(card, bytes);
  void* const data = host.get();
  return {data, new Block{std::move(host), ticket}, &release, c10::Device(kNpu, card)};
}

void adopt(c10::StorageImpl& storage, c10::DeviceIndex card) {
  c10::DataPtr host = storage.set_data_ptr(c10::DataPtr());
  storage.set_data_ptr_noswap(adopt(std::move(host), storage.nbytes(), card));
  storage.set_allocator(&allocator);
}

}  // namespace godwit
