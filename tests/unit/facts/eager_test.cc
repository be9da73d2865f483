// Eager mode verdicts reproduce what was established about the 310P, in counts and in single cases.
#include "facts/eager.h"

#include <gtest/gtest.h>

#include <map>

#include "facts/tables.h"

namespace godwit::facts {
namespace {

const Soc& p310() {
  static const Soc soc = resolve_target("Ascend310P3")->soc;
  return soc;
}

Verdict eager(std::string_view api, const EagerOptions& options = {}, const Soc& soc = p310()) {
  const Result<EagerVerdict> v = eager_verdict(api, soc, options);
  EXPECT_TRUE(v) << api;
  return v->verdict;
}

constexpr auto kTrain = Mode::kTraining;

std::map<std::string_view, int> counts(Jit jit) {
  const Table& aten = **table("api/aten.tsv", {"op"});
  std::map<std::string_view, int> sums;
  std::string last;
  for (std::size_t row = 0; row < aten.rows(); ++row) {
    if (cell(aten, row, "section") != "official") continue;
    const std::string op(cell(aten, row, "op"));
    const auto v = overload_verdict(op, p310(), {.jit = jit});
    EXPECT_TRUE(v) << op;
    ++sums[to_string(v->verdict)];
  }
  return sums;
}

TEST(Eager, CountsOn310P) {
  const auto on = counts(Jit::kOn);
  // Operators on the AI CPU were counted among the supported: right, but slow. Nine that op-plugin
  // builds from others (matmul, mean, index_copy, isin) were unknown when the counts were made.
  EXPECT_EQ(on.at("supported") + on.at("aicpu"), 915);
  EXPECT_EQ(on.at("undocumented"), 22);
  EXPECT_EQ(on.at("blocked"), 71);
  EXPECT_EQ(on.at("unknown") + (on.contains("partial") ? on.at("partial") : 0), 49);
  const auto off = counts(Jit::kOff);
  EXPECT_EQ(off.at("supported") + (off.contains("aicpu") ? off.at("aicpu") : 0), 614);
  EXPECT_EQ(off.at("undocumented"), 331);
  EXPECT_EQ(off.at("blocked"), 73);
}

TEST(Eager, RunsForwardAndFailsBackward) {
  for (const std::string_view api :
       {"torch.nn.Embedding", "torch.nn.functional.embedding", "torch.nn.MaxPool2d",
        "torch.nn.AdaptiveMaxPool2d", "torch.nn.Hardshrink", "torch.nn.SoftMarginLoss"}) {
    EXPECT_LT(eager(api), Verdict::kCpuFallback) << api;
    EXPECT_EQ(eager(api, {.mode = kTrain}), Verdict::kBlockedBackward) << api;
  }
  const auto v = eager_verdict("torch.nn.Embedding", p310(), {.mode = kTrain});
  EXPECT_EQ(v->offenders, std::vector<std::string>{"aten::embedding_dense_backward"});
  EXPECT_EQ(eager("torch.nn.functional.interpolate", {.mode = kTrain}), Verdict::kPartial);
  const Soc a2 = resolve_target("ascend910b")->soc;
  EXPECT_LE(eager("torch.nn.Embedding", {.mode = kTrain}, a2), Verdict::kUndocumented);
}

TEST(Eager, CommonLayersRun) {
  for (const std::string_view api :
       {"torch.nn.Linear", "torch.nn.Conv2d", "torch.nn.ReLU", "torch.nn.functional.relu",
        "torch.Tensor.add", "torch.matmul", "torch.nn.LayerNorm", "torch.nn.functional.gelu",
        "torch.nn.CrossEntropyLoss", "torch.cat", "torch.Tensor.view", "torch.nn.Dropout"}) {
    EXPECT_LE(eager(api), Verdict::kAclopOnly) << api << " " << to_string(eager(api));
  }
}

TEST(Eager, NamesAreResolved) {
  const auto name = [](std::string_view api) { return resolve_api(api)->value_or("none"); };
  EXPECT_EQ(name("torch.functional.einsum"), "torch.einsum");
  EXPECT_EQ(name("torch.nn.modules.activation.ReLU"), "torch.nn.ReLU");
  EXPECT_EQ(name("torch.optim.adam.Adam"), "torch.optim.Adam");
  EXPECT_EQ(name("torch.no_such_thing"), "none");
  EXPECT_FALSE(eager_verdict("torch.no_such_thing", p310())->known);
  EXPECT_EQ(eager("my.function"), Verdict::kUnknown);
}

TEST(Eager, ModesAreTwoVerdicts) {
  const auto pool = overload_verdict("aten::adaptive_avg_pool2d", p310());
  EXPECT_NE(pool->jit_on, pool->jit_off);
  EXPECT_EQ(overload_verdict("aten::add.Tensor", p310())->verdict, Verdict::kAclopOrUndocumented);
  EXPECT_EQ(overload_verdict("aten::add.Tensor", p310(), {.jit = Jit::kOff})->verdict,
            Verdict::kUndocumented);
  EXPECT_EQ(overload_verdict("aten::add.Tensor", p310(), {.jit = Jit::kOn})->verdict,
            Verdict::kSupported);
}

TEST(Eager, OverloadsWithoutARow) {
  EXPECT_EQ(overload_verdict("aten::detach", p310())->verdict, Verdict::kFramework);
  EXPECT_EQ(overload_verdict("aten::digamma", p310())->verdict, Verdict::kCpuFallback);
  EXPECT_EQ(overload_verdict("aten::geqrf", p310())->verdict, Verdict::kCpuFallback);
  EXPECT_EQ(overload_verdict("mine::op", p310())->verdict, Verdict::kUnknown);
}

TEST(Eager, CustomApisShowBothTables) {
  const auto attention = eager_verdict("torch_npu.npu_prompt_flash_attention", p310());
  EXPECT_TRUE(attention->known);
  EXPECT_LT(attention->verdict, Verdict::kCpuFallback);
  EXPECT_EQ(eager("torch_npu.npu_fused_infer_attention_score"), Verdict::kBlocked);
}

// Paths that hand the work to other operators are as good as those.
TEST(Eager, CompositesAreJudgedByTheirParts) {
  EXPECT_EQ(overload_verdict("aten::matmul", p310(), {.jit = Jit::kOn})->verdict,
            Verdict::kSupported);
  EXPECT_EQ(eager_verdict("torch.nn.Linear", p310(), {.jit = Jit::kOn})->verdict,
            Verdict::kSupported);
  EXPECT_EQ(eager("torch.isin"), Verdict::kAicpu);  // through unique
}

TEST(Eager, OwnClassesOfTorchNpuDecide) {
  EXPECT_EQ(eager("torch.amp.GradScaler.update"), Verdict::kFramework);
  EXPECT_EQ(eager("torch.cuda.amp.GradScaler.update"), Verdict::kFramework);
}

TEST(Eager, ReadyModelsAreTheirLayers) {
  EXPECT_EQ(eager("torchvision.models.vgg16_bn"), Verdict::kBlocked);
  EXPECT_LT(eager("torchvision.models.resnet50"), Verdict::kCpuFallback);
  EXPECT_EQ(
      eager_verdict("torchvision.models.resnet50", p310(), {.mode = Mode::kTraining})->verdict,
      Verdict::kBlockedBackward);  // MaxPool2d
  EXPECT_EQ(eager("torchvision.models.ResNet50_Weights.DEFAULT"), Verdict::kFramework);
  EXPECT_EQ(eager("torchvision.models.swin_t"), Verdict::kUnknown);
}

}  // namespace
}  // namespace godwit::facts
