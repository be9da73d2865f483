// Libraries, variables, collectives, symbols and versions are found under the names that code uses.
#include <gtest/gtest.h>

#include "diag/messages.h"
#include "facts/environment.h"
#include "facts/hccl.h"
#include "facts/libraries.h"
#include "facts/observed.h"
#include "facts/symbols.h"
#include "facts/versions.h"

namespace godwit::facts {
namespace {

Soc p310() { return resolve_target("Ascend310P3")->soc; }

TEST(Libraries, AreFoundByImport) {
  const auto flash = *find_library("flash_attn.bert_padding", p310());
  ASSERT_TRUE(flash);
  EXPECT_EQ(flash->name, "flash-attn");
  EXPECT_EQ(flash->how, Replacement::kPort);
  EXPECT_TRUE(is_no(flash->on_soc));
  EXPECT_FALSE(*find_library("flash_attn_mine", p310()));
  EXPECT_FALSE(*find_library("numba", p310()));  // plain numba stays on the host
  EXPECT_TRUE(*find_library("numba.cuda", p310()));
  EXPECT_EQ((*find_library("torchvision.ops.nms", p310()))->name, "torchvision ops");
  for (const std::string_view name : {"xformers", "apex", "bitsandbytes", "deepspeed", "triton",
                                      "nvidia.dali", "cupy", "pycuda", "tensorrt"}) {
    EXPECT_TRUE(*find_library(name, p310())) << name;
  }
}

TEST(Variables, HaveCounterparts) {
  const auto found = *find_variable("CUDA_LAUNCH_BLOCKING");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ascend, "ASCEND_LAUNCH_BLOCKING");
  EXPECT_EQ(found[0].relation, Relation::kSame);
  EXPECT_EQ((*find_variable("NCCL_NTHREADS"))[0].relation, Relation::kNone);
  EXPECT_TRUE(find_variable("PATH")->empty());
}

TEST(Collectives, BroadcastIsMissingOn310P) {
  EXPECT_EQ(find_collective("Broadcast", p310())->support, CollectiveSupport::kNo);
  EXPECT_EQ(find_collective("AllReduce", p310())->support, CollectiveSupport::kYes);
  EXPECT_EQ(find_collective("Send", p310())->support, CollectiveSupport::kConflict);
  EXPECT_EQ(find_collective("AllGather", p310())->max_ranks, 32);
  EXPECT_EQ(find_collective("AllReduce", p310())->reduce_exceptions, "prod|max|min:not_i16");
  const Soc a2 = resolve_target("ascend910b")->soc;
  EXPECT_EQ(find_collective("Broadcast", a2)->support, CollectiveSupport::kYes);
  const Soc b = resolve_target("ascend310b")->soc;
  EXPECT_EQ(find_collective("AllReduce", b)->support, CollectiveSupport::kUnknown);
  EXPECT_EQ(*collectives_of("all_gather_into_tensor"), std::vector<std::string>{"AllGather"});
  EXPECT_TRUE(collectives_of("get_rank")->empty());
}

TEST(Collectives, GatherIsAsGoodAsWhatItIsMadeOf) {
  EXPECT_EQ(collectives_of("gather")->size(), 2U);
  const auto lacking = weakest_collective("gather", p310());
  EXPECT_EQ((*lacking)->name, "Broadcast");
  EXPECT_EQ((*lacking)->support, CollectiveSupport::kNo);
  const Soc a2 = resolve_target("ascend910b")->soc;
  EXPECT_EQ((*weakest_collective("gather", a2))->support, CollectiveSupport::kYes);
  EXPECT_FALSE(weakest_collective("get_rank", a2)->has_value());
}

TEST(Symbols, DependOnTheRelease) {
  EXPECT_TRUE(*has_symbol("torch.npu.Event", "2.1.0.post17"));
  EXPECT_TRUE(*has_symbol("torch_npu.npu.Event", "2.9.0.post1"));
  EXPECT_FALSE(*has_symbol("torch.npu.nvtx", "2.14.0"));
  EXPECT_FALSE(*has_symbol("torch.npu.ExternalStream", "2.8.0"));
  EXPECT_TRUE(*has_symbol("torch.npu.ExternalStream", "2.13.0"));
  const auto rename = *find_rename("torch.cuda.CUDAGraph");
  ASSERT_TRUE(rename);
  EXPECT_EQ(rename->npu, "torch.npu.NPUGraph");
  EXPECT_EQ((*find_rename("torch.cuda.empty_cache"))->renaming, Renaming::kSame);
  EXPECT_EQ((*find_rename("torch.cuda.get_device_capability"))->renaming, Renaming::kDiffers);
  EXPECT_FALSE(*find_rename("torch.cuda.nvtx"));
}

TEST(Versions, Compare) {
  const std::vector<std::string> order = {"8.0.RC2",      "8.0.RC3", "8.0.0", "8.1.RC1.alpha001",
                                          "8.1.RC1",      "8.2.rc1", "8.2.0", "8.5.0",
                                          "9.2.0-beta.2", "9.2.0",   "2026.1"};
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    EXPECT_TRUE(compare_versions(order[i], order[i + 1]) < 0) << order[i];
  }
  EXPECT_TRUE(compare_versions("master", "99.0") > 0);
  EXPECT_TRUE(compare_versions("2.7.1", "2.7.1.post8") < 0);
  EXPECT_TRUE(compare_versions("2.7.1.post8", "2.7.1.post11") < 0);
  EXPECT_TRUE(compare_versions("8.2", "8.2.0") == 0);
  EXPECT_TRUE(compare_versions("25.0.rc1.1", "25.0.RC1") > 0);
  EXPECT_TRUE(compare_versions("2.1.0+cpu", "2.1.0") == 0);
  EXPECT_TRUE(contains_release("2.1.0.post17..2.5.1.post1|2.8.0..", "2.4.0.post4"));
  EXPECT_FALSE(contains_release("2.1.0.post17..2.5.1.post1|2.8.0..", "2.7.1"));
  EXPECT_EQ(*read_release("2.9.0.post1"), "2.8.0");
  EXPECT_EQ(version_rows("torch_npu")->size(), 62u);
  EXPECT_EQ(version_rows("cann_hdk")->size(), 9u);
}

TEST(Observed, ReportsAreFoundByOperator) {
  EXPECT_EQ(reports()->size(), 13u);
  EXPECT_EQ(reports_about("MoeGatingTopKSoftmax")->size(), 1u);
  EXPECT_TRUE(reports_about("MoeGatingTopK")->empty());
}

TEST(Notes, FollowTheLanguage) {
  EXPECT_EQ((*find_library("flash_attn", p310()))->note.find("310p: "), 0u);
  diag::set_language(diag::Language::kChinese);
  EXPECT_EQ((*find_library("flash_attn", p310()))->note.find("310p："), 0u);
  EXPECT_EQ(find_collective("AllReduce", p310())->restrictions.front(), "仅 300I Duo 卡");
  diag::set_language(diag::Language::kEnglish);
}

}  // namespace
}  // namespace godwit::facts
