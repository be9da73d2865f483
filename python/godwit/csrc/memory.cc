// The account of a card. Fragmentation is not modelled: what is reserved is what was allocated at
// most, in whole segments.
#include "memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <c10/util/Exception.h>
#include <torch/library.h>

#include "device.h"
#include "module.h"

namespace godwit {
namespace {

constexpr int64_t kBlock = 512;        // every request is rounded up to it
constexpr int64_t kSegment = 2 << 20;  // the device hands out memory in pieces of it

constexpr int64_t round_up(int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; }

struct Account {
  std::atomic<int64_t> allocated{0}, peak{0}, reserved{0}, reserved_peak{0};
  std::atomic<int64_t> requests{0}, releases{0}, total{0};
  std::atomic<int64_t> limit{0};  // 0: none
  std::mutex mutex;               // of what follows
  std::string peak_module;
  std::vector<int64_t> live, at_peak;  // by owner
};

std::array<Account, 64> accounts;
std::atomic<bool> records{false};

// Paths of modules by number; 0 is a block that was not recorded, the empty path is outside of
// modules.
struct Owners {
  std::mutex mutex;
  std::vector<std::string> paths{""};
  std::unordered_map<std::string, uint32_t> numbers;

  uint32_t number(const std::string& path) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto [at, is_new] = numbers.emplace(path, static_cast<uint32_t>(paths.size()));
    if (is_new) paths.push_back(path);
    return at->second;
  }
};
Owners owners;

// Raises `most` to `value`; true when it was lower.
bool raise(std::atomic<int64_t>& most, int64_t value) {
  int64_t seen = most.load(std::memory_order_relaxed);
  while (value > seen) {
    if (most.compare_exchange_weak(seen, value, std::memory_order_relaxed)) return true;
  }
  return false;
}

std::string size(int64_t bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; unit < 3 && value >= 1024; ++unit) value /= 1024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit ? "%.2f %s" : "%.0f %s", value, units[unit]);
  return text.data();
}

// The wording of torch_npu's allocator, so that scripts which read the text still work.
[[noreturn]] void out_of_memory(c10::DeviceIndex card, const Account& account, int64_t bytes) {
  const int64_t limit = account.limit, reserved = account.reserved, allocated = account.allocated;
  const std::string module = module_path();
  const std::string place = module.empty() ? "" : " In module " + module + ".";
  TORCH_CHECK_WITH(OutOfMemoryError, false, "NPU out of memory. Tried to allocate ", size(bytes),
                   " (NPU ", int{card}, "; ", size(limit), " total capacity; ", size(allocated),
                   " already allocated; ", size(allocated), " current active; ",
                   size(std::max<int64_t>(limit - reserved, 0)), " free; ", size(reserved),
                   " reserved in total by PyTorch).", place,
                   " Where reserved memory is far above allocated memory, max_split_size_mb avoids "
                   "fragmentation.");
  std::abort();
}

// A new most is noted with the module that caused it; after the first steps there are none.
void note_peak(Account& account) {
  const std::string module = module_path();
  const std::lock_guard<std::mutex> lock(account.mutex);
  account.peak_module = module;
  account.at_peak = account.live;
}

uint32_t record_owner(Account& account, int64_t bytes) {
  const uint32_t owner = owners.number(module_path());
  const std::lock_guard<std::mutex> lock(account.mutex);
  if (account.live.size() <= owner) account.live.resize(owner + 1);
  account.live[owner] += bytes;
  return owner;
}

Account& account_of(int64_t card) {
  check_card(static_cast<c10::DeviceIndex>(card));
  return accounts[static_cast<size_t>(card)];
}

}  // namespace

Ticket take(c10::DeviceIndex card, size_t wanted) {
  Account& account = accounts[static_cast<size_t>(card)];
  const int64_t bytes = round_up(static_cast<int64_t>(wanted), kBlock);
  const int64_t allocated = account.allocated.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  const int64_t limit = account.limit.load(std::memory_order_relaxed);
  if (C10_UNLIKELY(limit && allocated > limit)) {
    account.allocated -= bytes;
    out_of_memory(card, account, static_cast<int64_t>(wanted));
  }
  account.requests.fetch_add(1, std::memory_order_relaxed);
  account.total.fetch_add(bytes, std::memory_order_relaxed);
  Ticket ticket{bytes, 0, card};
  if (C10_UNLIKELY(records.load(std::memory_order_relaxed)))
    ticket.owner = record_owner(account, bytes);
  if (C10_UNLIKELY(raise(account.peak, allocated))) note_peak(account);
  if (C10_UNLIKELY(allocated > account.reserved.load(std::memory_order_relaxed))) {
    const int64_t segments = round_up(allocated, kSegment);
    raise(account.reserved, limit ? std::min(segments, limit) : segments);
    raise(account.reserved_peak, account.reserved);
  }
  return ticket;
}

void give(const Ticket& ticket) {
  Account& account = accounts[static_cast<size_t>(ticket.card)];
  account.allocated.fetch_sub(ticket.bytes, std::memory_order_relaxed);
  account.releases.fetch_add(1, std::memory_order_relaxed);
  if (C10_LIKELY(ticket.owner == 0)) return;
  const std::lock_guard<std::mutex> lock(account.mutex);
  account.live[ticket.owner] -= ticket.bytes;
}

namespace {

// allocated, its peak, reserved, its peak, requests, releases, bytes ever allocated, limit
std::vector<int64_t> stats(int64_t card) {
  const Account& a = account_of(card);
  return {a.allocated, a.peak,     a.reserved, a.reserved_peak,
          a.requests,  a.releases, a.total,    a.limit};
}

void reset_peak(int64_t card) {
  Account& account = account_of(card);
  account.peak = account.allocated.load();
  account.reserved_peak = account.reserved.load();
}

void empty_cache(int64_t card) {
  Account& account = account_of(card);
  account.reserved = round_up(account.allocated, kSegment);
}

void set_limit(int64_t card, int64_t bytes) { account_of(card).limit = bytes; }

// Paths of modules, the bytes that each holds now, and those it held when the peak was reached.
std::tuple<std::vector<std::string>, std::vector<int64_t>, std::vector<int64_t>> by_module(
    int64_t card) {
  Account& account = account_of(card);
  const std::scoped_lock lock(account.mutex, owners.mutex);
  const size_t count = owners.paths.size();
  std::vector<int64_t> live = account.live, at_peak = account.at_peak;
  live.resize(count);
  at_peak.resize(count);
  return {owners.paths, live, at_peak};
}

std::string peak_module(int64_t card) {
  Account& account = account_of(card);
  const std::lock_guard<std::mutex> lock(account.mutex);
  return account.peak_module;
}

}  // namespace
}  // namespace godwit

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def("memory_stats(int card) -> int[]", godwit::stats);
  m.def("memory_reset_peak(int card) -> ()", godwit::reset_peak);
  m.def("memory_empty_cache(int card) -> ()", godwit::empty_cache);
  m.def("memory_set_limit(int card, int bytes) -> ()", godwit::set_limit);
  m.def("memory_record(bool on) -> ()", [](bool on) { godwit::records = on; });
  m.def("memory_by_module(int card) -> (str[], int[], int[])", godwit::by_module);
  m.def("memory_peak_module(int card) -> str", godwit::peak_module);
}
