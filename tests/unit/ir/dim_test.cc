// Dims: arithmetic on numbers, canonical forms of expressions, evaluation.
#include "ir/dim.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "ir/symbols.h"
#include "ir/type.h"

namespace godwit::ir {
namespace {

const Dim n = Dim::symbol("N");
const Dim h = Dim::symbol("H");

TEST(IrDim, CountsWithNumbers) {
  EXPECT_TRUE((Dim(3) + Dim(4)).is(7));
  EXPECT_TRUE(floor_div(Dim(-7), Dim(2)).is(-4));
  EXPECT_TRUE(ceil_div(Dim(7), Dim(2)).is(4));
  EXPECT_TRUE(max(Dim(2), Dim(5)).is(5));
  EXPECT_TRUE(min(Dim(2), Dim(5)).is(2));
}

TEST(IrDim, SeesEqualExpressions) {
  EXPECT_EQ(n + h, h + n);
  EXPECT_EQ((n + Dim(1)) * Dim(2), Dim(2) * n + Dim(2));
  EXPECT_EQ(n * h - h * n, Dim(0));
  EXPECT_EQ(floor_div(Dim(6) * n, Dim(3)), Dim(2) * n);
  EXPECT_EQ(floor_div(n * h, h), n);
  EXPECT_NE(floor_div(n, Dim(2)) * Dim(2), n);
  EXPECT_EQ(min(n, h), min(n, h));
}

TEST(IrDim, PrintsAsAPersonWritesIt) {
  EXPECT_EQ((Dim(2) * n + Dim(1)).to_string(), "2*N + 1");
  EXPECT_EQ(floor_div(h - Dim(1), Dim(2)).to_string(), "floor((H - 1)/2)");
  EXPECT_EQ(Dim::unknown().to_string(), "?");
}

TEST(IrDim, KeepsUnknownsApart) {
  const Dim a = Dim::unknown(), b = Dim::unknown();
  EXPECT_NE(a, b);
  EXPECT_EQ(a - a, Dim(0));
  EXPECT_TRUE(a.is_anonymous());
  EXPECT_FALSE(n.is_anonymous());
  // Two of these are written alike and are not the same, so neither is a name.
  for (const Dim dim : {a + Dim(1), a + n, floor_div(a, 2), max(a, n) * n})
    EXPECT_TRUE(dim.is_anonymous()) << dim.to_string();
}

TEST(IrDim, EvaluatesWhenEverySymbolHasAValue) {
  const Dim halves = floor_div(h, Dim(2)) * n + max(n, Dim(4));
  EXPECT_EQ(halves.evaluate({{"N", 3}, {"H", 225}}), 112 * 3 + 4);
  EXPECT_EQ(halves.evaluate({{"N", 3}}), std::nullopt);
  EXPECT_EQ(floor_div(h, n).evaluate({{"N", 0}, {"H", 1}}), std::nullopt);
}

TEST(IrDim, BecomesUnknownInsteadOfOverflowing) {
  const Dim most(std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE((most + Dim(1)).is_known());
  EXPECT_FALSE((most * Dim(2)).is_known());
  EXPECT_FALSE((Dim(std::numeric_limits<std::int64_t>::min()) - Dim(1)).is_known());
  EXPECT_FALSE(floor_div(Dim(std::numeric_limits<std::int64_t>::min()), Dim(-1)).is_known());
}

TEST(IrDim, StopsGrowing) {
  Dim sum = 0;
  for (int i = 0; i < 100; ++i) sum = sum + Dim::symbol("S" + std::to_string(i));
  EXPECT_TRUE(sum.is_anonymous() || !sum.is_known());
  EXPECT_LT(sum.to_string().size(), 1000u);
}

// Each step writes its operand twice: without a limit the last one would take 2^60 signs.
TEST(IrDim, StopsGrowingWhereOperandsAreShared) {
  Dim quotient = n, most = n;
  for (int i = 0; i < 60; ++i) {
    quotient = floor_div(quotient * quotient, Dim(3));
    most = max(most + Dim(1), most * h);
  }
  EXPECT_LT(quotient.to_string().size(), 4000u);
  EXPECT_LT(most.to_string().size(), 4000u);
  EXPECT_EQ(quotient.evaluate({{"N", 2}}), std::nullopt);
  EXPECT_EQ(floor_div(n * n, Dim(3)).evaluate({{"N", 4}}), 5);
}

TEST(IrDim, NamesItsSymbols) {
  EXPECT_EQ(symbols(floor_div(h + n, n) + max(h, Dim(3))), (std::vector<std::string>{"H", "N"}));
  EXPECT_TRUE(symbols(Dim(3)).empty());
  EXPECT_TRUE(symbols(Dim::unknown()).empty());
}

TEST(IrType, UnifiesWhatTwoPlacesSay) {
  const Type a = Type::tensor(ElementType::kFloat, Shape{n, 3});
  const Type b = Type::tensor(ElementType::kFloat, Shape{8, Dim::unknown()});
  const auto both = unify(a, b);
  ASSERT_TRUE(both);
  EXPECT_EQ(to_string(*both), "float[8,3]");
  EXPECT_FALSE(unify(a, Type::tensor(ElementType::kFloat, Shape{n, 4})));
  EXPECT_FALSE(unify(a, Type::tensor(ElementType::kDouble, Shape{n, 3})));
  EXPECT_EQ(to_string(*unify(Type(), a)), "float[N,3]");
}

}  // namespace
}  // namespace godwit::ir
