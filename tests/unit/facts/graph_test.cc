// Kernels and ONNX verdicts: facts that were established by reading, as assertions.
#include "facts/graph.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace godwit::facts {
namespace {

Soc chip(std::string_view name) { return resolve_target(name)->soc; }

Runs runs(std::string_view op, std::string_view soc, std::string_view cann = {}) {
  return kernel_state(op, chip(soc), cann)->runs;
}

bool takes(std::string_view op, std::string_view soc, std::string_view dtype) {
  const auto types = kernel_state(op, chip(soc))->dtypes;
  return std::find(types.begin(), types.end(), dtype) != types.end();
}

TEST(Kernels, KnownGapsOf310P) {
  EXPECT_EQ(runs("EmbeddingDenseGrad", "ascend310p"), Runs::kNo);
  EXPECT_EQ(runs("EmbeddingDenseGrad", "ascend310b"), Runs::kAicore);
  EXPECT_EQ(runs("FlashAttentionScore", "ascend310p"), Runs::kNo);
  EXPECT_EQ(runs("FlashAttentionScore", "ascend910b"), Runs::kAicore);
  EXPECT_EQ(runs("FusedInferAttentionScore", "ascend310p", "8.1.RC1"), Runs::kNo);
  EXPECT_EQ(runs("PromptFlashAttention", "ascend310p"), Runs::kAicore);
  EXPECT_TRUE(takes("PromptFlashAttention", "ascend310p", "fp16"));
  EXPECT_FALSE(takes("PromptFlashAttention", "ascend310p", "bf16"));
  EXPECT_TRUE(takes("PromptFlashAttention", "ascend910b", "bf16"));
  EXPECT_EQ(runs("TopK", "ascend310p"), Runs::kAicpu);
  EXPECT_EQ(runs("NoSuchOperator", "ascend310p"), Runs::kNo);
  EXPECT_EQ(runs("NoSuchOperator", "ascend950"), Runs::kUnknown);  // no registry is known
}

TEST(Kernels, ReleaseCounts) {
  const KernelState old = *kernel_state("MoeGatingTopKSoftmax", chip("ascend310p"), "8.1.RC1");
  EXPECT_EQ(old.runs, Runs::kNo);
  const KernelState now = *kernel_state("MoeGatingTopKSoftmax", chip("ascend310p"));
  EXPECT_EQ(now.runs, Runs::kAicore);
  EXPECT_FALSE(now.since.empty());
}

TEST(Kernels, AlmostNoBf16On310P) {
  const Soc soc = chip("ascend310p");
  int with_bf16 = 0;
  const std::vector<std::string> operators = *kernel_operators(soc);
  for (const std::string& op : operators) {
    const auto types = kernel_state(op, soc, "8.1.RC1")->dtypes;
    with_bf16 += std::count(types.begin(), types.end(), "bf16") > 0 ? 1 : 0;
  }
  EXPECT_LE(with_bf16, 2);
}

Verdict onnx(std::string_view op, std::int64_t opset, std::string_view soc = "ascend310p") {
  return onnx_verdict("", op, opset, chip(soc))->verdict;
}

TEST(Onnx, VerdictsAndTiers) {
  EXPECT_EQ(onnx("Conv", 13), Verdict::kSupported);
  EXPECT_EQ(onnx("Relu", 13), Verdict::kSupported);
  EXPECT_EQ(onnx("TopK", 13), Verdict::kAicpu);
  EXPECT_EQ(onnx("GroupNormalization", 18), Verdict::kUnknown);
  EXPECT_FALSE(onnx_verdict("", "GroupNormalization", 18, chip("ascend310p"))->has_parser);
  const auto gemm = onnx_verdict("ai.onnx", "Gemm", 13, chip("ascend310p"));
  EXPECT_EQ(gemm->tier, Tier::kDecompose);
  EXPECT_FALSE(gemm->forms.empty());
  const auto relu = onnx_verdict("ai.onnx", "Relu", 13, chip("ascend310p"));
  EXPECT_EQ(relu->tier, Tier::kDirect);
  EXPECT_FALSE(relu->dtypes.empty());
  EXPECT_FALSE(onnx_verdict("", "Relu", 21, chip("ascend310p"))->opset_fits);
  EXPECT_EQ(onnx_verdict("my.domain", "Relu", 13, chip("ascend310p"))->has_parser, false);
}

TEST(Onnx, RestrictionsAreTakenApart) {
  const auto pool = onnx_verdict("", "MaxPool", 12, chip("ascend310p"));
  const auto has = [&](std::string_view rule) {
    return std::any_of(pool->restrictions.begin(), pool->restrictions.end(),
                       [&](const Restriction& r) { return r.rule == rule; });
  };
  EXPECT_TRUE(has("storage_order") && has("no_Indices_output"));
}

}  // namespace
}  // namespace godwit::facts
