// Shapes at the limits of whole numbers.
#include <gtest/gtest.h>

#include <string>

#include "ir/parse.h"
#include "ops/infer.h"

namespace godwit::ops {
namespace {

// The least number has no positive twin.
TEST(Inference, SlicesFromTheLeastNumber) {
  Result<ir::Model> model = ir::parse(R"(<ir_version: 8, opset_import: ["": 18]>
g (float[n] x) => (y)
<int64[1] from = {-9223372036854775808}, int64[1] to = {9223372036854775807}>
{ y = Slice(x, from, to) })",
                                      "test");
  ASSERT_TRUE(model) << model.error().code;
  ASSERT_TRUE(infer(*model));
  const ir::Type& type = model->values[model->main().outputs[0]].type;
  ASSERT_TRUE(type.shape);
  EXPECT_EQ(type.shape->size(), 1u);
}

}  // namespace
}  // namespace godwit::ops
