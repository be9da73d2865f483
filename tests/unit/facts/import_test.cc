// An installed CANN and torch_npu become an overlay that wins; odd files neither crash nor hide it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "facts/eager.h"
#include "facts/importer.h"
#include "facts/kernels.h"
#include "facts/overlay.h"
#include "facts/symbols.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {
namespace fs = std::filesystem;

class Import : public testing::Test {
 protected:
  void SetUp() override {
    root_ =
        fs::temp_directory_path() / (std::string("godwit_import_") +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
  }
  void TearDown() override {
    ASSERT_TRUE(use_overlay("none"));
    forget_tables();
    fs::remove_all(root_);
  }
  void put(const std::string& path, std::string_view text) {
    ASSERT_TRUE(write_file(root_ / "in" / path, text));
  }
  void use() {
    const Result<Imported> imported = import_folder(root_ / "in");
    ASSERT_TRUE(imported) << imported.error().code;
    ASSERT_TRUE(write_overlay(*imported, root_ / "overlay"));
    ASSERT_TRUE(use_overlay((root_ / "overlay").string()));
    forget_tables();
  }

  fs::path root_;
};

constexpr std::string_view kRegistry = R"({
 "Add": {"input0": {"name": "x1", "paramType": "required", "dtype": "float16,float", "format": "ND,ND"},
         "input1": {"name": "x2", "paramType": "required", "dtype": "float16,float", "format": "ND,ND"},
         "output0": {"name": "y", "paramType": "required", "dtype": "float16,float", "format": "ND,ND"},
         "dynamicShapeSupport": {"flag": "true"}},
 "Mine": {"input0": {"name": "x", "paramType": "dynamic", "dtype": "bfloat16"},
          "dynamicFormat": {"flag": "True"}}
})";
const std::string kConfig = "opp/built-in/op_impl/ai_core/tbe/config/ascend310p/";

TEST_F(Import, RegistryDecidesAlone) {
  put(kConfig + "aic-ascend310p-ops-info-nn.json", kRegistry);
  put("version.cfg", "# version: 1.0\nruntime_running_version=[7.7.0:8.2.RC1]\n");
  put("opp/built-in/op_impl/aicpu/config/aicpu_kernel.json",
      R"({"TopK": {"opInfo": {"opKernelLib": "AICPUKernel"}, "input0": {"name": "x", "type": "DT_FLOAT"}}})");
  use();
  const Soc soc = resolve_target("Ascend310P3")->soc;
  const KernelState add = *kernel_state("Add", soc);
  EXPECT_EQ(add.runs, Runs::kAicore);
  EXPECT_EQ(add.dtypes, (std::vector<std::string>{"fp16", "fp32"}));
  EXPECT_EQ(add.rows.front().combos, "fp16,fp16>fp16|fp32,fp32>fp32");
  EXPECT_EQ(add.rows.front().origin, Origin::kInstalled);
  EXPECT_EQ(kernel_state("Mine", soc)->rows.front().ports, "(x*)>()");
  EXPECT_TRUE(kernel_state("Mine", soc)->static_only);
  EXPECT_EQ(kernel_state("Relu", soc)->runs, Runs::kNo);  // built in, but not on this machine
  EXPECT_EQ(kernel_state("Relu", soc, "8.1.RC1")->runs, Runs::kAicore);  // another release
  EXPECT_EQ(kernel_state("TopK", soc, "8.2.RC1")->runs, Runs::kAicpu);
  EXPECT_EQ(kernel_state("Relu", resolve_target("ascend910b")->soc)->runs, Runs::kAicore);
  EXPECT_EQ(overload_verdict("aten::relu", soc, {.jit = Jit::kOn})->verdict, Verdict::kBlocked);
}

TEST_F(Import, TorchNpuNames) {
  put("torch_npu-2.9.0.post1.dist-info/METADATA",
      "Metadata-Version: 2.1\nVersion: 2.9.0.post1\n\n");
  put("torch_npu/__init__.py", "import torch\nfrom .npu import (a_name,\n   b as other)  # c\n");
  put("torch_npu/npu/__init__.py",
      "__all__ = ['brand_new', \"Event\"]\ndef helper(x):\n    inner = 1\nclass Thing:\n  pass\n"
      "X = 1\nfrom .backends import *\n");
  put("torch_npu/npu/backends.py", "deep: int = 1\ndef _hidden(): pass\n");
  use();
  EXPECT_TRUE(*has_symbol("torch.npu.brand_new", "2.9.0.post1"));
  EXPECT_TRUE(*has_symbol("torch_npu.other", "2.9.0.post1"));
  EXPECT_TRUE(*has_symbol("torch_npu.npu.Thing", "2.9.0.post1"));
  EXPECT_FALSE(*has_symbol("torch_npu.npu.inner", "2.9.0.post1"));
  EXPECT_TRUE(*has_symbol("torch_npu.npu.deep", "2.9.0.post1"));  // through a star
  EXPECT_TRUE(
      *has_symbol("torch_npu.npu.Stream", "2.9.0.post1"));  // built in: text proves no absence
  EXPECT_FALSE(*has_symbol("torch_npu.npu.brand_new", "2.8.0"));
}

TEST_F(Import, PlatformFile) {
  put("x86_64-linux/data/platform_config/Ascend310P3.ini",
      "[version]\nSoC_version=Ascend310P3\nShort_SoC_version=Ascend310P\n[SoCInfo]\nai_core_cnt="
      "9\n");
  use();
  EXPECT_EQ(load_soc("Ascend310P3")->sizes.ai_cores, 9);
}

TEST_F(Import, HostileFilesAreSkipped) {
  put(kConfig + "aic-ascend310p-ops-info.json", kRegistry);
  put(kConfig + "aic-ascend310p-ops-info-a.json", "[1, 2");
  put(kConfig + "aic-ascend310p-ops-info-b.json", std::string(100000, '['));
  put(kConfig + "aic-ascend310p-ops-info-c.json", R"({"A": 1, "B": {"input0": []}, "": {}})");
  put(kConfig + "aic-..-ops-info.json",
      R"({"A\tB\n": {"input0": {"name": "x\ty", "dtype": "a|b\n"}}})");
  put("x/platform_config/a.ini", "[version]\nSoC_version=../../evil\nShort_SoC_version=x\n");
  fs::create_directory_symlink(root_ / "in", root_ / "in/loop");
  fs::create_symlink(root_ / "nowhere", root_ / "in/aicpu_kernel.json");
  const Result<Imported> imported = import_folder(root_ / "in");
  ASSERT_TRUE(imported);
  EXPECT_GE(imported->skipped.size(), 2u);
  ASSERT_TRUE(write_overlay(*imported, root_ / "overlay"));
  EXPECT_FALSE(fs::exists(root_ / "evil.toml"));
  ASSERT_TRUE(use_overlay((root_ / "overlay").string()));
  forget_tables();
  EXPECT_EQ(kernel_state("Add", resolve_target("ascend310p")->soc)->runs, Runs::kAicore);
}

TEST_F(Import, SaysWhatIsWrong) {
  fs::create_directories(root_ / "in");
  EXPECT_EQ(import_folder(root_ / "in").error().code, "E028");
  EXPECT_EQ(import_folder(root_ / "gone").error().code, "E001");
  EXPECT_EQ(use_overlay((root_ / "in").string()).error().code, "E026");
  put("overlay.toml", "format = 1\ntables = [\"ops/kernels/ascend310p.tsv\"]\n");
  EXPECT_EQ(use_overlay((root_ / "in").string()).error().code, "E026");
  put("ops/kernels/ascend310p.tsv", "op\tcann\nAdd\n");
  ASSERT_TRUE(use_overlay((root_ / "in").string()));
  EXPECT_EQ(kernel_state("Add", resolve_target("ascend310p")->soc).error().code, "E011");
  put("file.txt", "x");
  Imported some;
  some.symbols["torch_npu"] = "module";
  fs::remove(root_ / "in/overlay.toml");
  EXPECT_EQ(write_overlay(some, root_ / "in").error().code, "E005");
  put("overlay.toml", "format = 1\n");  // of something else: what lies beside it stays
  EXPECT_EQ(write_overlay(some, root_ / "in").error().code, "E005");
}

}  // namespace
}  // namespace godwit::facts
