// Greedy placement under several orders; the smallest result wins.
#include "exec/memory_plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace godwit::exec {
namespace {

using Index = std::uint32_t;

// The blocks with bytes rounded up to the alignment.
class Packing {
 public:
  Packing(std::span<const Block> blocks, std::uint64_t alignment)
      : blocks_(blocks.begin(), blocks.end()) {
    for (Block& block : blocks_)
      block.bytes = (block.bytes + alignment - 1) / alignment * alignment;
    measure();
  }

  std::uint64_t lower_bound() const {
    return live_.empty() ? 0 : *std::max_element(live_.begin(), live_.end());
  }

  // The most bytes that live at one step of the block.
  std::uint64_t crowd(const Block& block) const {
    return *std::max_element(live_.begin() + block.first, live_.begin() + block.last + 1);
  }

  MemoryPlan place(const std::vector<Index>& order) const {
    MemoryPlan plan{.offsets = std::vector<std::uint64_t>(blocks_.size())};
    std::vector<Index> placed;  // by offset
    for (const Index id : order) {
      const Block& block = blocks_[id];
      std::uint64_t at = 0;
      for (const Index other : placed) {
        const bool meets = blocks_[other].first <= block.last && block.first <= blocks_[other].last;
        if (!meets) continue;
        if (plan.offsets[other] >= at + block.bytes) break;
        at = std::max(at, plan.offsets[other] + blocks_[other].bytes);
      }
      plan.offsets[id] = at;
      plan.bytes = std::max(plan.bytes, at + block.bytes);
      const auto behind = std::upper_bound(
          placed.begin(), placed.end(), at,
          [&](std::uint64_t offset, Index one) { return offset < plan.offsets[one]; });
      placed.insert(behind, id);
    }
    return plan;
  }

  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  void measure() {
    Index steps = 0;
    for (const Block& block : blocks_) steps = std::max(steps, block.last + 1);
    std::vector<std::uint64_t> change(steps + 1, 0);  // wraps around zero, as sums do
    for (const Block& block : blocks_) {
      change[block.first] += block.bytes;
      change[block.last + 1] -= block.bytes;
    }
    live_.resize(steps);
    std::partial_sum(change.begin(), change.begin() + steps, live_.begin());
  }

  std::vector<Block> blocks_;
  std::vector<std::uint64_t> live_;  // by step
};

using Weight = std::function<double(const Block&)>;

std::vector<Index> sorted_by(const std::vector<Block>& blocks, const Weight& weight) {
  std::vector<double> weights(blocks.size());
  std::transform(blocks.begin(), blocks.end(), weights.begin(), weight);
  std::vector<Index> order(blocks.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : blocks[a].bytes > blocks[b].bytes;
  });
  return order;
}

double life(const Block& block) { return static_cast<double>(block.last - block.first) + 1; }

}  // namespace

MemoryPlan plan_memory(std::span<const Block> blocks, std::uint64_t alignment) {
  const Packing planner(blocks, alignment);
  struct Order {
    std::string_view name;
    Weight weight;
  };
  const Order orders[] = {
      {"size", [](const Block& b) { return static_cast<double>(b.bytes); }},
      {"area", [](const Block& b) { return static_cast<double>(b.bytes) * life(b); }},
      {"start", [](const Block& b) { return -static_cast<double>(b.first); }},
      {"life", life},
      {"crowd", [&](const Block& b) { return static_cast<double>(planner.crowd(b)); }},
  };
  MemoryPlan best;
  for (const Order& order : orders) {
    MemoryPlan plan = planner.place(sorted_by(planner.blocks(), order.weight));
    if (!best.order.empty() && plan.bytes >= best.bytes) continue;
    best = std::move(plan);
    best.order = order.name;
    if (best.bytes == planner.lower_bound()) break;
  }
  best.lower_bound = planner.lower_bound();
  return best;
}

}  // namespace godwit::exec
