// Parallel loops over the whole machine.
#pragma once

#include <cstddef>
#include <functional>

namespace godwit {

/// Threads that parallel_for uses: `GODWIT_THREADS`, else the processors this process may use.
std::size_t thread_count();

/// Calls `body(index, worker)` once for each index below `count`, in no order, from at most
/// thread_count() workers (numbered from 0) and returns when all are done. `body` must not throw.
/// The threads are kept between calls, so that a call costs microseconds. A loop inside a loop, or
/// beside the loop of another thread, runs on the calling thread alone (worker 0).
void parallel_for(std::size_t count, const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace godwit
