// The device profile says what the tables say of a chip, and refuses devices that cannot be.
#include "emulate/profile.h"

#include <gtest/gtest.h>

namespace godwit::emulate {
namespace {

const Json& p310() {
  static const Json profile = *device_profile({.to = "ascend310p", .torch = "2.13.0"});
  return profile;
}

std::string_view on(std::string_view op) { return p310()["operators"][op]["on"].string(); }
std::string_view off(std::string_view op) { return p310()["operators"][op]["off"].string(); }

bool has(const Json& list, std::string_view text) {
  for (const Json& item : list.items()) {
    if (item.string() == text) return true;
  }
  return false;
}

std::string code_of(const Options& options) {
  const auto profile = device_profile(options);
  return profile ? "" : profile.error().code;
}

TEST(Profile, SaysWhatAChipIs) {
  EXPECT_EQ(p310()["soc"]["name"].string(), "Ascend310P3");
  EXPECT_EQ(p310()["cards"].integer(), 1);
  EXPECT_EQ(p310()["memory"].integer(), 24'000'000'000);
  EXPECT_EQ(p310()["soc"]["abilities"]["bf16"].string(), "no");
  EXPECT_EQ(p310()["numerics"]["cells"]["overflow"].string(), "saturate");
  EXPECT_TRUE(p310()["defaults"]["jit_compile"].boolean());
  EXPECT_FALSE(p310()["defaults"]["allow_hf32_matmul"].boolean(true));
  const Json a2 = *device_profile({.to = "ascend910b", .torch = "2.13.0"});
  EXPECT_FALSE(a2["defaults"]["jit_compile"].boolean(true));
  EXPECT_EQ(a2["soc"]["abilities"]["bf16"].string(), "yes");
}

TEST(Profile, CardsOfAProductAreItsDevices) {
  const Json duo = *device_profile({.to = "Atlas 300I Duo", .torch = "2.13.0"});
  EXPECT_EQ(duo["cards"].integer(), 2);
}

TEST(Profile, JudgesOperatorsUnderBothModes) {
  EXPECT_EQ(on("aten::embedding_dense_backward"), "blocked");
  EXPECT_EQ(off("aten::embedding_dense_backward"), "blocked");
  EXPECT_EQ(on("aten::add.Tensor"), "supported");
  EXPECT_EQ(off("aten::add.Tensor"), "undocumented");
  EXPECT_EQ(on("npu::npu_fusion_attention"), "blocked");
  // Other forms of an operator stand or fall with the one that torch_npu implements.
  EXPECT_EQ(on("aten::threshold_backward.grad_input"), on("aten::threshold_backward"));
  EXPECT_EQ(on("aten::embedding_dense_backward.out"), "blocked");
}

TEST(Profile, NamesAreThoseOfTheRelease) {
  EXPECT_FALSE(p310()["names"]["torch_npu.npu_fusion_attention"].is_null());
  EXPECT_FALSE(p310()["names"]["torch_npu.npu.set_compile_mode"].is_null());
  const Json old = *device_profile({.to = "ascend310p", .torch_npu = "2.1.0.post17"});
  EXPECT_TRUE(old["names"]["torch_npu.npu_fusion_attention_v3"].is_null());
  EXPECT_FALSE(p310()["names"]["torch_npu.npu_fusion_attention_v3"].is_null());
  EXPECT_FALSE(p310()["schemas"]["npu::npu_rms_norm"].is_null());
}

TEST(Profile, TakesTheNearestOlderRelease) {
  const Json between = *device_profile({.to = "ascend310p", .torch_npu = "2.8.0.post9"});
  EXPECT_EQ(between["torch_npu"]["release"].string(), "2.8.0.post9");
  EXPECT_EQ(between["torch_npu"]["read"].string(), "2.8.0");
  EXPECT_EQ(choose_torch_npu("", "2.7.1")->read, "2.7.1.post11");
  EXPECT_EQ(choose_torch_npu("", "2.13.1")->read, "2.13.0");
  EXPECT_EQ(choose_torch_npu("2.0.1", "").error().code, "E243");
}

TEST(Profile, AutocastAndFallbackLists) {
  EXPECT_TRUE(has(p310()["autocast"]["lower_precision"], "aten::matmul"));
  EXPECT_TRUE(has(p310()["autocast"]["error"], "aten::binary_cross_entropy"));
  EXPECT_FALSE(has(p310()["autocast"]["fp32"], "aten::matmul"));
  EXPECT_TRUE(has(p310()["cpu_fallback"], "aten::_fused_adam_"));
}

TEST(Profile, CollectivesOfTheChip) {
  const Json& hccl = p310()["hccl"];
  EXPECT_EQ(hccl["collectives"]["Broadcast"]["supported"].string(), "no");
  EXPECT_EQ(hccl["collectives"]["AllGather"]["max_ranks"].integer(), 32);
  EXPECT_TRUE(has(hccl["torch"]["all_reduce"]["hccl"], "AllReduce"));
  EXPECT_TRUE(has(hccl["torch"]["gather"]["hccl"], "Broadcast"));
  EXPECT_TRUE(hccl["torch"]["gather"]["replaced"].boolean());
  EXPECT_FALSE(hccl["torch"]["all_reduce"]["replaced"].boolean());
}

TEST(Profile, RefusesWhatCannotBe) {
  EXPECT_EQ(code_of({.to = "ascend31p"}), "E024");
  for (const char* const cards : {"0", "-1", "65", "two"})
    EXPECT_EQ(code_of({.to = "ascend310p", .cards = cards}), "E240") << cards;
  for (const char* const memory : {"24X", "G", "-1G", "12", "1e30", "nan", "24 G", "3000000T"})
    EXPECT_EQ(code_of({.to = "ascend310p", .memory = memory}), "E241") << memory;
}

TEST(Profile, ReadsSizes) {
  EXPECT_EQ(parse_bytes("24G"), std::uint64_t{24} << 30);
  EXPECT_EQ(parse_bytes("24GiB"), std::uint64_t{24} << 30);
  EXPECT_EQ(parse_bytes("1.5g"), std::uint64_t{3} << 29);
  EXPECT_EQ(parse_bytes("512MB"), std::uint64_t{512} << 20);
  EXPECT_EQ(parse_bytes("21500000000"), 21'500'000'000u);
}

}  // namespace
}  // namespace godwit::emulate
