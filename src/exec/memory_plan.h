// Places for values in one stretch of memory, so that values that never live together share bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace godwit::exec {

/// A value in memory from step `first` to step `last`, both included.
struct Block {
  std::uint64_t bytes = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct MemoryPlan {
  std::vector<std::uint64_t> offsets;  // one for each block, a multiple of the alignment
  std::uint64_t bytes = 0;             // of the whole stretch
  std::uint64_t lower_bound = 0;  // the most that live together at one step: no plan is smaller
  std::string_view order;         // which of the greedy orders won
};

/// The best of several greedy plans: blocks are placed one after another, each at the lowest place
/// where it fits. The orders (by size, by size times life, by start, by length of life, by how
/// crowded the most crowded step is) are those that reach the bound on most real graphs.
MemoryPlan plan_memory(std::span<const Block> blocks, std::uint64_t alignment = 64);

}  // namespace godwit::exec
