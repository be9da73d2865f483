// A loop over an atomic counter: items differ in size, so each worker takes the next one when free.
#include "base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/text.h"

namespace godwit {

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
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t worker) {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;)
      body(i, worker);
  };
  const std::size_t workers = std::min(thread_count(), count);
  std::vector<std::thread> others;
  for (std::size_t worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
  work(0);
  for (std::thread& thread : others) thread.join();
}

}  // namespace godwit
