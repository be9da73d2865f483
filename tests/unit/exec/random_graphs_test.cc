// Some thousand small graphs of random operators; the fuzz target exec_fuzz looks for more.
#include <gtest/gtest.h>

#include <random>

#include "random_graph_run.h"

namespace godwit::tests {
namespace {

TEST(RandomGraphs, AreRefusedOrRunAsTheShapeRulesSay) {
  std::mt19937 random(4);
  int ran = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<std::uint8_t> bytes(20 + random() % 100);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    const RandomRun run = run_random(bytes);
    EXPECT_EQ(run.fault, "") << "graph " << i;
    ran += run.ran;
  }
  EXPECT_GT(ran, 20);  // else the graphs say nothing
}

}  // namespace
}  // namespace godwit::tests
