// Memory plans: no two values that live together share a byte, and chains reach the bound.
#include "exec/memory_plan.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace godwit::exec {
namespace {

void expect_sound(const std::vector<Block>& blocks, const MemoryPlan& plan) {
  ASSERT_EQ(plan.offsets.size(), blocks.size());
  EXPECT_GE(plan.bytes, plan.lower_bound);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(plan.offsets[i] % 64, 0u);
    EXPECT_LE(plan.offsets[i] + blocks[i].bytes, plan.bytes);
    for (std::size_t j = 0; j < i; ++j) {
      const bool together = blocks[i].first <= blocks[j].last && blocks[j].first <= blocks[i].last;
      const bool apart = plan.offsets[i] + blocks[i].bytes <= plan.offsets[j] ||
                         plan.offsets[j] + blocks[j].bytes <= plan.offsets[i];
      EXPECT_TRUE(!together || apart || blocks[i].bytes == 0 || blocks[j].bytes == 0);
    }
  }
}

TEST(ExecMemoryPlan, RandomBlocksNeverMeet) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<Block> blocks(1 + random() % 60);
    for (Block& block : blocks) {
      block.first = static_cast<std::uint32_t>(random() % 40);
      block.last = block.first + static_cast<std::uint32_t>(random() % 10);
      block.bytes = random() % 5000;
    }
    expect_sound(blocks, plan_memory(blocks));
  }
}

TEST(ExecMemoryPlan, AChainNeedsTwoNeighboursOnly) {
  std::vector<Block> blocks;
  for (std::uint32_t i = 0; i < 20; ++i) blocks.push_back({1024 * (1 + i % 2), i, i + 1});
  const MemoryPlan plan = plan_memory(blocks);
  expect_sound(blocks, plan);
  EXPECT_EQ(plan.bytes, plan.lower_bound);
}

TEST(ExecMemoryPlan, NothingNeedsNothing) {
  EXPECT_EQ(plan_memory({}).bytes, 0u);
  EXPECT_EQ(plan_memory(std::vector<Block>{{0, 3, 3}}).bytes, 0u);
}

}  // namespace
}  // namespace godwit::exec
