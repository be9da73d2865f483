// `--to` is understood as one chip or refused: "Ascend910B" and "ascend910b" are different chips.
#include <gtest/gtest.h>

#include "facts/soc.h"

namespace godwit::facts {
namespace {

Target target(std::string_view text) {
  Result<Target> result = resolve_target(text);
  EXPECT_TRUE(result) << text << ": " << (result ? "" : result.error().code);
  return result ? *std::move(result) : Target{};
}

std::string chip(std::string_view text) { return target(text).soc.soc_version; }

std::string refusal(std::string_view text) {
  const Result<Target> result = resolve_target(text);
  return result ? "understood as " + result->soc.soc_version : result.error().code;
}

TEST(Target, TakesChipsFamiliesAndProducts) {
  EXPECT_EQ(chip("Ascend310P3"), "Ascend310P3");
  EXPECT_EQ(chip("310P3"), "Ascend310P3");
  EXPECT_EQ(chip("ascend310p1"), "Ascend310P1");
  EXPECT_EQ(target("ascend310p").soc.family, "ascend310p");
  EXPECT_EQ(target("Ascend310P").message_key, "target.family");
  EXPECT_EQ(target("ascend910b").soc.family, "ascend910b");
  EXPECT_EQ(target("ascend910_93").soc.family, "ascend910_93");
  EXPECT_EQ(chip("Ascend910B3"), "Ascend910B3");
  EXPECT_EQ(chip("Atlas 300I Pro"), "Ascend310P3");
  EXPECT_EQ(chip("  atlas 300i-pro "), "Ascend310P3");
  EXPECT_EQ(chip("300I Pro"), "Ascend310P3");
  EXPECT_EQ(target("Atlas 800I A2").soc.family, "ascend910b");
}

TEST(Target, DuoIsTwoDevices) {
  const Target duo = target("Atlas 300I Duo");
  EXPECT_EQ(duo.devices, 2);
  EXPECT_EQ(duo.soc.soc_version, "Ascend310P3");
  EXPECT_EQ(duo.memory(), 24'000'000'000u);
  EXPECT_NE(duo.understood().find("Atlas 300I Duo"), std::string::npos);
}

TEST(Target, RefusesTwoMeanings) {
  for (const std::string_view text : {"Ascend910B", "ASCEND910B", "910b", "910B"}) {
    EXPECT_EQ(refusal(text), "E025") << text;
  }
  EXPECT_EQ(target("soc:Ascend910B").soc.family, "ascend910");
  EXPECT_EQ(target("family:ascend910b").soc.family, "ascend910b");
}

TEST(Target, OffersNearestNames) {
  const Result<Target> result = resolve_target("ascend310q");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "E024");
  ASSERT_EQ(result.error().args.back().first, "nearest");
  EXPECT_NE(result.error().args.back().second.find("ascend310p"), std::string::npos);
  EXPECT_EQ(refusal(""), "E024");
  EXPECT_EQ(refusal("cuda"), "E024");
  EXPECT_EQ(refusal("soc:../../etc/passwd"), "E024");
}

TEST(Soc, HasTheAbilitiesThatRulesAskFor) {
  const Soc p = target("Ascend310P3").soc;
  EXPECT_TRUE(is_no(p.bf16) && is_no(p.fp64) && is_no(p.training) && is_no(p.triton));
  EXPECT_TRUE(is_yes(p.saturates) && is_yes(p.jit_compile_default) && is_yes(p.aclop));
  EXPECT_EQ(p.fp32_matmul, Fp32Matmul::kFp16);
  EXPECT_EQ(p.sizes.ai_cores, 8);
  EXPECT_EQ(p.sizes.vector_cores, 7);
  EXPECT_EQ(p.sizes.ub, 256u * 1024);
  EXPECT_EQ(p.sizes.l1, 1024u * 1024);
  const Soc a2 = target("ascend910b").soc;
  EXPECT_TRUE(is_yes(a2.bf16) && is_no(a2.saturates) && is_no(a2.jit_compile_default));
  EXPECT_EQ(a2.sizes.ub, 192u * 1024);
  const Soc b = target("ascend310b").soc;  // torch says bf16 is there; the operators say no
  EXPECT_TRUE(is_no(b.bf16) && is_yes(b.bf16_api_says));
  EXPECT_TRUE(is_no(target("ascend950").soc.aclop));
}

TEST(Soc, EveryChipAndFamilyLoads) {
  for (const std::string& name : soc_versions()) EXPECT_TRUE(load_soc(name)) << name;
  for (const std::string& name : families()) EXPECT_TRUE(resolve_target(name)) << name;
  EXPECT_EQ(soc_versions().size(), 72u);
}

}  // namespace
}  // namespace godwit::facts
