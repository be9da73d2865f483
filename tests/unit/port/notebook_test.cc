// Notebooks: cells are edited inside the JSON, and nothing else of the file changes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "port/port.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

class PortNotebooks : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  Plan port(const std::string& json) {
    EXPECT_TRUE(write_file(folder_ / "case.ipynb", json, Sync::kLater));
    auto made = plan(folder_, {});
    EXPECT_TRUE(made) << diag::render(made.error());
    return made ? *std::move(made) : Plan{};
  }

  fs::path folder_ = fs::temp_directory_path() / format("godwit_notebook_{}", ::getpid());
};

constexpr std::string_view kNotebook = R"json({
 "cells": [
  {"cell_type": "markdown", "source": ["torch.cuda stays\n"]},
  {"cell_type": "code", "outputs": [{"text": ["cuda"]}], "source": [
    "import torch\n",
    "%matplotlib inline\n",
    "x = torch.ones(3).cuda()  # \"quoted\"\n",
    "torch.cuda.synchronize()"
  ]},
  {"cell_type": "code", "source": "print(x.to(\"cuda\"))"}
 ],
 "nbformat": 4
}
)json";

constexpr std::string_view kPorted = R"json({
 "cells": [
  {"cell_type": "markdown", "source": ["torch.cuda stays\n"]},
  {"cell_type": "code", "outputs": [{"text": ["cuda"]}], "source": [
    "import torch\n",
    "import torch_npu\n%matplotlib inline\n",
    "x = torch.ones(3).npu()  # \"quoted\"\n",
    "torch.npu.synchronize()"
  ]},
  {"cell_type": "code", "source": "print(x.to(\"npu\"))"}
 ],
 "nbformat": 4
}
)json";

TEST_F(PortNotebooks, CellsAreEditedInTheJson) {
  const Plan made = port(std::string(kNotebook));
  ASSERT_EQ(made.files.size(), 1u);
  EXPECT_EQ(made.files[0].after, kPorted);
  ASSERT_TRUE(write_in_place(made));
  const auto again = plan(folder_, {});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->files.empty()) << "the second run edits again";
  ASSERT_TRUE(undo(folder_));
  EXPECT_EQ(*read_file(folder_ / "case.ipynb"), kNotebook);
}

// "! " and "%" are no Python: variables are renamed there too, and what else is for CUDA is said.
TEST_F(PortNotebooks, ShellLinesAndMagics) {
  const Plan made = port(
      R"json({"cells": [{"cell_type": "code", "source": ["# CUDA_VISIBLE_DEVICES=1 is a comment\n", )json"
      R"json("!CUDA_VISIBLE_DEVICES=0 python train.py --device cuda\n", )json"
      R"json("%env CUDA_VISIBLE_DEVICES=1"]}]})json");
  ASSERT_EQ(made.files.size(), 1u);
  EXPECT_EQ(
      made.files[0].after,
      R"json({"cells": [{"cell_type": "code", "source": ["# CUDA_VISIBLE_DEVICES=1 is a comment\n", )json"
      R"json("!ASCEND_RT_VISIBLE_DEVICES=0 python train.py --device cuda\n", )json"
      R"json("%env ASCEND_RT_VISIBLE_DEVICES=1"]}]})json");
  ASSERT_EQ(made.findings.size(), 1u);
  EXPECT_EQ(made.findings[0].code, "P058");
}

TEST_F(PortNotebooks, ALineBehindTheLastOfACell) {
  const Plan made =
      port(R"json({"cells": [{"cell_type": "code", "source": ["import torch"]}, )json"
           R"json({"cell_type": "code", "source": ["torch.cuda.synchronize()\n"]}]})json");
  ASSERT_EQ(made.files.size(), 1u);
  EXPECT_EQ(
      made.files[0].after,
      R"json({"cells": [{"cell_type": "code", "source": ["import torch\nimport torch_npu"]}, )json"
      R"json({"cell_type": "code", "source": ["torch.npu.synchronize()\n"]}]})json");
}

}  // namespace
}  // namespace godwit::port
