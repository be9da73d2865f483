// The current card is a thread's own, as torch_npu has it; a fork after first use loses the device,
// as it loses a real one.
#include "device.h"

#include <pthread.h>
#include <atomic>

#include <c10/util/Exception.h>
#include <torch/library.h>

#include "support_table.h"

namespace godwit {
namespace {

std::atomic<c10::DeviceIndex> cards{1};
std::atomic<bool> touched{false};
std::atomic<bool> lost{false};
thread_local c10::DeviceIndex current = 0;

void after_fork_in_child() {
  if (touched) lost = true;
}

}  // namespace

c10::DeviceIndex card_count() { return cards.load(std::memory_order_relaxed); }
c10::DeviceIndex current_card() { return current; }
void set_current_card(c10::DeviceIndex card) { current = card; }
bool is_lost_in_fork() { return lost; }
bool is_touched() { return touched; }

void set_card_count(c10::DeviceIndex count) {
  TORCH_CHECK(count >= 1 && count <= 64,
              say("device.cards", {{"found", std::to_string(int{count})}}));
  cards = count;
}

void check_card(c10::DeviceIndex card) {
  TORCH_CHECK(card >= 0 && card < card_count(), "Invalid NPU device ID: npu:", int{card},
              ", this machine has ", int{card_count()}, " (0 to ", card_count() - 1, ")");
}

c10::Device resolve(c10::Device device) {
  return device.has_index() ? device : c10::Device(device.type(), current);
}

void touch() {
  if (C10_LIKELY(touched.load(std::memory_order_relaxed))) {
    TORCH_CHECK(!lost.load(std::memory_order_relaxed),
                "Cannot re-initialize NPU in forked subprocess. To use NPU with multiprocessing, "
                "you must use the 'spawn' start method");
    return;
  }
  static const int registered = pthread_atfork(nullptr, nullptr, after_fork_in_child);
  (void)registered;
  touched = true;
}

}  // namespace godwit

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def("set_card_count(int count) -> ()",
        [](int64_t count) { godwit::set_card_count(static_cast<c10::DeviceIndex>(count)); });
  m.def("card_count() -> int", []() -> int64_t { return godwit::card_count(); });
  m.def("current_card() -> int", []() -> int64_t { return godwit::current_card(); });
  m.def("set_current_card(int card) -> ()", [](int64_t card) {
    godwit::check_card(static_cast<c10::DeviceIndex>(card));
    godwit::set_current_card(static_cast<c10::DeviceIndex>(card));
  });
  m.def("is_lost_in_fork() -> bool", []() { return godwit::is_lost_in_fork(); });
  m.def("is_touched() -> bool", []() { return godwit::is_touched(); });
}
