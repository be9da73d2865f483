// A pool of threads that outlives its loops: numerics call parallel_for thousands of times a
// second, and starting threads for each would cost more than the loop.
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/text.h"

namespace godwit {
namespace {

using Body = std::function<void(std::size_t, std::size_t)>;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// A loop is open while its items last. A thread that wakes too late finds it closed and sleeps on:
// the caller waits only for those that joined.
class Pool {
 public:
  /// Runs the loop, or says that another one is running.
  bool try_run(std::size_t count, std::size_t workers, const Body& body) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    while (started_ + 1 < workers && start()) ++started_;
    body_ = &body;
    count_ = count;
    workers_ = workers;
    next_.store(0, std::memory_order_relaxed);
    joined_.store(1, std::memory_order_relaxed);
    {
      const std::lock_guard lock(mutex_);
      state_.store((state_.load(std::memory_order_relaxed) | kJoinMask) + 1 + kOpen,
                   std::memory_order_release);
    }
    wake_.notify_all();
    take(0);
    state_.fetch_and(~kOpen, std::memory_order_acq_rel);
    wait_until([&] { return (state_.load(std::memory_order_acquire) & kJoinMask) == 0; });
    busy_.store(false, std::memory_order_release);
    return true;
  }

 private:
  // state_: the number of the loop, whether it is open, how many threads are in it.
  static constexpr std::uint64_t kOpen = 1u << 31;
  static constexpr std::uint64_t kActiveMask = kOpen - 1;
  static constexpr std::uint64_t kJoinMask = kOpen | kActiveMask;

  // Items differ in size, so each worker takes the next one when free.
  void take(std::size_t worker) {
    for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) {
      (*body_)(i, worker);
    }
  }

  // Spins for some 20 µs, the time that a sleeping thread takes to wake.
  template <class Condition>
  static bool spin(const Condition& condition) {
    for (int i = 0; i < 500; ++i) {
      if (condition()) return true;
      pause();
    }
    return false;
  }

  template <class Condition>
  static void wait_until(const Condition& condition) {
    if (spin(condition)) return;
    while (!condition()) std::this_thread::yield();
  }

  // A system that gives no more threads leaves the work to those there are.
  bool start() {
    try {
      std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  bool join(std::uint64_t last_loop) {
    std::uint64_t state = state_.load(std::memory_order_acquire);
    while ((state & kOpen) != 0 && state >> 32 != last_loop) {
      if (state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) return true;
    }
    return false;
  }

  [[noreturn]] void serve() {
    for (std::uint64_t last_loop = 0;;) {
      const auto joined = [&] { return join(last_loop); };
      if (!spin(joined)) {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, joined);
      }
      last_loop = state_.load(std::memory_order_relaxed) >> 32;
      const std::size_t worker = joined_.fetch_add(1, std::memory_order_relaxed);
      if (worker < workers_) take(worker);
      state_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::atomic<bool> busy_{false};
  std::size_t started_ = 0;  // threads beside the caller's
  const Body* body_ = nullptr;
  std::size_t count_ = 0;
  std::size_t workers_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> joined_{0};
  std::atomic<std::uint64_t> state_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
};

// Never destroyed: its threads may still wait in it when the process ends.
std::atomic<Pool*> the_pool{nullptr};

Pool& pool() {
  static std::once_flag once;
  std::call_once(once, [] {
    the_pool = new Pool;
    // A forked child has none of the threads.
    ::pthread_atfork(nullptr, nullptr, [] { the_pool = new Pool; });
  });
  return *the_pool;
}

}  // namespace

std::size_t thread_count() {
  if (const char* const wanted = std::getenv("GODWIT_THREADS")) {
    const auto number = parse_integer(wanted);
    if (number && *number > 0)
      return static_cast<std::size_t>(std::min<std::int64_t>(*number, 1024));
  }
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t count, const std::function<void(std::size_t, std::size_t)>& body) {
  // Set in a loop that found the pool taken: what is inside it does not take the pool either.
  thread_local bool is_alone = false;
  const auto run_here = [&] {
    for (std::size_t i = 0; i < count; ++i) body(i, 0);
  };
  const std::size_t workers = count < 2 || is_alone ? 1 : std::min(thread_count(), count);
  if (workers < 2) return run_here();
  if (pool().try_run(count, workers, body)) return;
  is_alone = true;
  run_here();
  is_alone = false;
}

}  // namespace godwit
