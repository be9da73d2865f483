// Loops over chunks of rows, on all threads, that round each chunk while it is in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "base/parallel.h"
#include "kernels/elementwise.h"

namespace godwit::kernels {

/// Floats of a chunk: with its sources it stays in the first-level cache.
inline constexpr std::size_t kChunk = 2048;
/// Less than this is not worth waking a thread for.
inline constexpr std::size_t kTask = 16384;

/// Calls `item(index, losses)` for each index below `count`, in tasks of `per_task`, and adds what
/// they lost to `store`.
template <class Item>
void for_each_item(std::size_t count, std::size_t per_task, const Store& store, const Item& item) {
  const std::size_t tasks = per_task == 0 ? 0 : (count + per_task - 1) / per_task;
  std::mutex mutex;
  parallel_for(tasks, [&](std::size_t task, std::size_t) {
    Losses losses;
    const std::size_t end = std::min(count, (task + 1) * per_task);
    for (std::size_t index = task * per_task; index < end; ++index) item(index, losses);
    if (store.losses == nullptr) return;
    const std::lock_guard lock(mutex);
    *store.losses += losses;
  });
}

inline void round_to_store(float* values, std::size_t n, const Store& store, Losses& losses) {
  if (store.how != Narrowing{}) losses += narrow(values, values, n, store.how);
}

/// Calls `chunk(row, column, n)` for pieces of `rows` rows; it returns where it stored its results.
template <class Chunk>
void for_each_chunk(std::size_t rows, std::size_t columns, const Store& store, const Chunk& chunk) {
  if (rows * columns == 0) return;
  const std::size_t pieces = (columns + kChunk - 1) / kChunk;
  const std::size_t per_task = std::max<std::size_t>(1, kTask / std::min(columns, kChunk));
  for_each_item(rows * pieces, per_task, store, [&](std::size_t index, Losses& losses) {
    const std::size_t at = index % pieces * kChunk;
    const std::size_t n = std::min(kChunk, columns - at);
    round_to_store(chunk(index / pieces, at, n), n, store, losses);
  });
}

}  // namespace godwit::kernels
