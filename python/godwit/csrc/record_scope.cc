// The state of a thread, and a ring of the latest sequence numbers of each thread that backward
// passes look into.
#include "record_scope.h"

#include <ATen/record_function.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace godwit::record {
namespace {

// A step of a large model makes some 100,000 graph nodes; memory is touched only as far as it is
// used.
constexpr std::uint64_t kRing = std::uint64_t{1} << 20;

struct Slot {
  std::atomic<std::int64_t> sequence{-1};
  std::atomic<std::int32_t> module{-1};
  std::atomic<const Op*> op{nullptr};
};

// Pages of slots, so that a thread with few nodes costs little.
constexpr std::uint64_t kPage = 4096;
struct Ring {
  std::atomic<Slot*> pages[kRing / kPage] = {};
  ~Ring() {
    for (auto& page : pages) delete[] page.load();
  }
  Slot* find(std::int64_t sequence) {
    return pages[static_cast<std::uint64_t>(sequence) % kRing / kPage].load(
        std::memory_order_acquire);
  }
};

struct Rings {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, std::shared_ptr<Ring>> by_thread;
};

Rings& rings() {
  static Rings* const all = new Rings;
  return *all;
}

std::shared_ptr<Ring> ring_of(std::uint64_t thread, bool make) {
  Rings& all = rings();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto at = all.by_thread.find(thread);
  if (at != all.by_thread.end()) return at->second;
  if (!make) return nullptr;
  return all.by_thread[thread] = std::make_shared<Ring>();
}

// The ring that this thread looked into last; nearly always the same one.
struct Looked {
  std::uint64_t thread = 0;
  std::shared_ptr<Ring> ring;
};

}  // namespace

Scope& scope() {
  thread_local Scope here;
  return here;
}

void note_origin(std::int64_t sequence, Origin origin) {
  thread_local const std::shared_ptr<Ring> ring =
      ring_of(at::RecordFunction::currentThreadId(), true);
  const std::uint64_t at = static_cast<std::uint64_t>(sequence) % kRing;
  Slot* page = ring->find(sequence);
  if (!page) {
    page = new Slot[kPage];
    ring->pages[at / kPage].store(page, std::memory_order_release);
  }
  Slot& slot = page[at % kPage];
  slot.sequence.store(sequence, std::memory_order_relaxed);
  slot.module.store(origin.module, std::memory_order_relaxed);
  slot.op.store(origin.op, std::memory_order_relaxed);
}

Origin find_origin(std::uint64_t thread, std::int64_t sequence) {
  thread_local Looked looked;
  if (sequence < 0) return {};
  if (!looked.ring || looked.thread != thread) looked = {thread, ring_of(thread, false)};
  Slot* const page = looked.ring ? looked.ring->find(sequence) : nullptr;
  if (!page) return {};
  const Slot& slot = page[static_cast<std::uint64_t>(sequence) % kPage];
  if (slot.sequence.load(std::memory_order_relaxed) != sequence) return {};
  return {slot.module.load(std::memory_order_relaxed), slot.op.load(std::memory_order_relaxed)};
}

// A module that is called inside a backward pass is computed anew (checkpointing): that is forward.
void enter_module(std::int32_t name, std::int32_t call) {
  Scope& here = scope();
  here.modules.push_back({here.module, here.call, here.backward});
  here.module = name;
  here.call = call;
  here.backward = false;
}

void leave_module() {
  Scope& here = scope();
  if (here.modules.empty()) return;
  const Scope::Module outer = here.modules.back();
  here.modules.pop_back();
  here.module = outer.name;
  here.call = outer.call;
  here.backward = outer.was_backward;
}

}  // namespace godwit::record

// Called through ctypes twice for each module: a fifth of what a call through torch.ops costs.
namespace {
thread_local int modules_running = 0;
}

extern "C" {
/// True when no other module of this thread runs.
__attribute__((visibility("default"))) bool godwit_enter_module(int name) {
  godwit::record::enter_module(name, 0);
  return modules_running++ == 0;
}
__attribute__((visibility("default"))) void godwit_leave_module() {
  godwit::record::leave_module();
  --modules_running;
}

/// The update of an optimizer is a place too, but no module: what its closure calls runs at the
/// top.
__attribute__((visibility("default"))) void godwit_enter_update(int name) {
  godwit::record::enter_module(name, 0);
}
__attribute__((visibility("default"))) void godwit_leave_update() {
  godwit::record::leave_module();
}
}
