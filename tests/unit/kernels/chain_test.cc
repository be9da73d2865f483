// Chains against one element after the other: operands that repeat, tables, losses of every step.
#include "kernels/chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "unit/kernels/levels.h"

namespace godwit::kernels {
namespace {

constexpr Narrowing kStored = kSaturatingHalf;

std::vector<float> halves(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 300);
  std::vector<float> out(count);
  for (float& value : out) value = ref::narrow(normal(random), kStored);
  return out;
}

TEST(Chain, GoesThroughAllStepsAndCountsWhatEachLoses) {
  constexpr std::size_t kRows = 30, kColumns = 2500, kPlanes = 5;
  const auto x = halves(kRows * kColumns, 1), full = halves(kRows * kColumns, 2);
  const auto columns = halves(kColumns, 3), planes = halves(kPlanes, 4);
  std::vector<float> squares(HalfTable::kCodes);
  std::vector<std::uint8_t> lost(HalfTable::kCodes);
  for (std::size_t code = 0; code < squares.size(); ++code) {
    const float value = ref::from_half(static_cast<std::uint16_t>(code));
    squares[code] = ref::narrow(value * value, kStored);
    lost[code] = std::fabs(value) > 255.9f ? 1 : 0;
  }
  at_every_level([&] {
    Losses losses[4];
    std::vector<ChainLink> links(4);
    links[0] = {
        .kind = ChainLink::Kind::kBinary,
        .binary = Binary::kMultiply,
        .operand = {
            .data = planes.data(), .row_step = 1, .column_step = 0, .each = 2, .rows = kPlanes}};
    links[1] = {.kind = ChainLink::Kind::kBinary,
                .binary = Binary::kSubtract,
                .is_swapped = true,
                .operand = {.data = full.data(), .row_step = kColumns}};
    links[2] = {.kind = ChainLink::Kind::kTable, .table = {squares.data(), lost.data()}};
    links[3] = {
        .kind = ChainLink::Kind::kBinary, .binary = Binary::kAdd, .operand = {.is_source = true}};
    for (std::size_t i = 0; i < links.size(); ++i) links[i].store = {kStored, &losses[i]};
    std::vector<float> found = x;  // in place: the source is kept chunk by chunk
    chain({.in = found.data(),
           .out = found.data(),
           .rows = kRows,
           .columns = kColumns,
           .links = links});
    std::uint64_t overflows = 0, squared = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float product = x[i] * planes[i / kColumns / 2 % kPlanes];
      overflows += std::fabs(product) >= 65520.0f;
      const float rest = ref::narrow(full[i] - ref::narrow(product, kStored), kStored);
      squared += lost[ref::to_half(rest)];
      ASSERT_EQ(found[i], ref::narrow(squares[ref::to_half(rest)] + x[i], kStored)) << i;
    }
    EXPECT_EQ(losses[0].overflows, overflows);
    EXPECT_EQ(losses[2].overflows, squared);
    EXPECT_GT(overflows, 0u);
  });
  // Columns alone: rows of a vector that repeats.
  std::vector<float> found(x.size());
  const ChainLink add{.kind = ChainLink::Kind::kBinary, .operand = {.data = columns.data()}};
  chain({.in = x.data(),
         .out = found.data(),
         .rows = kRows,
         .columns = kColumns,
         .links = {&add, 1}});
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(found[i], x[i] + columns[i % kColumns]);
}

// Four steps that are computed as one, and a rounding that is left out, do what each alone does.
TEST(Chain, NormalisesAndKeepsWhatIsRounded) {
  constexpr std::size_t kRows = 6, kColumns = 2531;
  const auto x = halves(kRows * kColumns, 5);
  at_every_level([&] {
    for (const std::size_t column_step : {0, 1}) {
      const std::size_t count = column_step == 0 ? kRows : kColumns;
      std::vector<float> by[4];
      for (unsigned i = 0; i < 4; ++i) by[i] = halves(count, 6 + i);
      for (float& deviation : by[1]) deviation = 0.5f + std::fabs(deviation) / 100;
      constexpr Binary kSteps[] = {Binary::kSubtract, Binary::kDivide, Binary::kMultiply,
                                   Binary::kAdd};
      std::vector<ChainLink> links(5);
      for (std::size_t i = 0; i < 4; ++i) {
        links[i].kind = ChainLink::Kind::kBinary;
        links[i].binary = kSteps[i];
        links[i].operand = {
            .data = by[i].data(), .row_step = 1 - column_step, .column_step = column_step};
      }
      Losses losses[2];
      links[3].store = {kStored, &losses[0]};
      links[4].unary = Unary::kRelu;
      links[4].store = {kStored, &losses[1]};
      std::vector<float> found(x.size());
      chain({.in = x.data(),
             .out = found.data(),
             .rows = kRows,
             .columns = kColumns,
             .links = links});
      std::uint64_t overflows = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t at = column_step == 0 ? i / kColumns : i % kColumns;
        const float y = (x[i] - by[0][at]) / by[1][at] * by[2][at] + by[3][at];
        overflows += std::fabs(y) >= 65520.0f;
        ASSERT_EQ(found[i], std::max(0.0f, ref::narrow(y, kStored))) << i;
      }
      EXPECT_EQ(losses[0], (Losses{.overflows = overflows}));
      EXPECT_EQ(losses[1], Losses());
      EXPECT_GT(overflows, 0u);
    }
  });
}

}  // namespace
}  // namespace godwit::kernels
