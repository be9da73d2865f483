// Two runs at once: every match is seen once, and little is kept.
#include "exec/side_by_side.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/parse.h"
#include "model_text.h"

namespace godwit::exec {
namespace {

constexpr std::string_view kChain =
    "input x: float[1]\noutput z\na = Relu(x)\nb = Add(a, a)\nz = Add(b, a)\n";
// The same in another order and with another name in between.
constexpr std::string_view kOther =
    "input x: float[1]\noutput w\na = Relu(x)\nq = Add(a, a)\nw = Add(q, a)\n";

std::vector<ir::Datum> one() { return {ir::Datum(ir::Tensor::of<float>({1}, {2}))}; }

std::vector<std::string> seen(const ir::Model& reference, const ir::Model& found,
                              const std::vector<Match>& matches) {
  AsWritten as_written;
  InDouble in_double;
  std::vector<std::string> out;
  const Status status =
      run_side_by_side({reference, in_double, one()}, {found, as_written, one()}, matches,
                       [&](const Match& match, const ir::Datum& a, const ir::Datum& b) -> Status {
                         EXPECT_EQ((*to_doubles(a.tensor))[0], (*to_doubles(b.tensor))[0]);
                         out.push_back(found.values[match.found].name);
                         return {};
                       });
  EXPECT_TRUE(status);
  return out;
}

TEST(SideBySide, SeesEveryValueOfOneModelOnce) {
  const tests::TextModel chain(kChain);
  EXPECT_EQ(seen(chain.model, chain.model, match_itself(chain.model)),
            (std::vector<std::string>{"x", "a", "b", "z"}));
}

TEST(SideBySide, MatchesNamesAndOutputsByPlace) {
  const tests::TextModel chain(kChain), other(kOther);
  EXPECT_EQ(seen(chain.model, other.model, match_by_name(chain.model, other.model)),
            (std::vector<std::string>{"x", "a", "w"}));
}

TEST(SideBySide, TakesOriginsBeforeNames) {
  const tests::TextModel chain(kChain);
  tests::TextModel other(kOther);
  for (ir::Value& value : other.model.values) {
    if (value.name == "q") value.origin = std::make_shared<ir::Origin>(ir::Origin{{"b"}, {"pass"}});
  }
  EXPECT_EQ(match_by_name(chain.model, other.model).size(), 4u);
}

// A loop of three turns, x + 1, + 2, + 3: values of the last turn meet, before what the loop makes.
TEST(SideBySide, BodiesMeetInTheirLastTurn) {
  auto model = ir::parse(R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1] x) => (float[1] y)
<int64 trips = {3}, bool go = {1}>
{
  y = Loop (trips, go, x) <body: graph = b (int64 i, bool c, float[1] v) => (bool d, float[1] w) {
    d = Identity (c)
    f = Cast <to = 1> (i)
    w = Add (v, f)
  }>
})",
                         "model.txt");
  ASSERT_TRUE(model) << model.error().code;
  AsWritten a, b;
  std::vector<std::string> out;
  auto plan = Plan::make(*model, {.fuses = false});
  ASSERT_TRUE(plan) << plan.error().code;
  for (Plan* const fast : {static_cast<Plan*>(nullptr), &*plan}) {
    out.clear();
    const Status status = run_side_by_side(
        {*model, a, one()}, {*model, b, one(), 0, fast}, match_itself(*model),
        [&](const Match& match, const ir::Datum& left, const ir::Datum& right) -> Status {
          const double value = (*to_doubles(right.tensor))[0];
          EXPECT_EQ((*to_doubles(left.tensor))[0], value);
          out.push_back(model->values[match.found].name + "=" + std::to_string(int(value)));
          return {};
        });
    EXPECT_TRUE(status);
    EXPECT_EQ(out, (std::vector<std::string>{"x=2", "d=1", "f=2", "w=5", "y=5"}));
  }
}

TEST(SideBySide, HandsOnErrors) {
  const tests::TextModel chain(kChain);
  AsWritten a, b;
  const Status status = run_side_by_side(
      {chain.model, a, one()}, {chain.model, b, one()}, match_itself(chain.model),
      [](const Match&, const ir::Datum&, const ir::Datum&) { return Status(fail("E173")); });
  EXPECT_EQ(status.error().code, "E173");
}

}  // namespace
}  // namespace godwit::exec
