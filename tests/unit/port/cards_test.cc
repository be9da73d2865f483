// What --cards adds to a project, what a chip refuses, and the way back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "port/cards.h"
#include "port/port.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram =
    "import torch\nfrom torch.utils.data import DataLoader\n\n\ndef main():\n"
    "    loader = DataLoader(torch.randn(8, 2), batch_size=4)\n    net = torch.nn.Linear(2, 1)\n"
    "    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n    for x in loader:\n"
    "        net(x).mean().backward()\n        optimizer.step()\n\n\n"
    "if __name__ == \"__main__\":\n    main()\n";

class PortCards : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(project_);
    EXPECT_TRUE(write_file(project_ / "train.py", kProgram));
  }
  void TearDown() override { fs::remove_all(project_); }

  Plan make(std::string_view chip, std::uint32_t cards) const {
    const auto target = facts::resolve_target(chip);
    EXPECT_TRUE(target);
    auto made = plan(project_, {.target = *target, .cards = cards});
    EXPECT_TRUE(made) << diag::render(made.error());
    return made ? *std::move(made) : Plan{};
  }
  static const FilePlan* added(const Plan& plan, std::string_view path) {
    const auto found = std::find_if(plan.files.begin(), plan.files.end(), [&](const auto& file) {
      return file.is_new && file.path == path;
    });
    return found == plan.files.end() ? nullptr : &*found;
  }
  static bool says(const Plan& plan, std::string_view code, std::string_view variant) {
    return std::any_of(plan.findings.begin(), plan.findings.end(), [&](const auto& finding) {
      return finding.code == code && finding.variant == variant;
    });
  }

  const fs::path project_ = fs::temp_directory_path() / format("godwit_cards_{}", ::getpid());
};

TEST_F(PortCards, OneCardAddsNothing) {
  const Plan made = make("ascend310p", 1);
  EXPECT_EQ(added(made, "godwit_cards.py"), nullptr);
  EXPECT_FALSE(says(made, "P074", "repeats"));
}

TEST_F(PortCards, WhatHcclLacksComesWithTheHelper) {
  const Plan lacking = make("ascend310p", 2), whole = make("ascend910b", 2);
  ASSERT_NE(added(lacking, "godwit_cards.py"), nullptr);
  ASSERT_NE(added(whole, "godwit_cards.py"), nullptr);
  EXPECT_NE(added(lacking, "godwit_collectives.py"), nullptr);
  EXPECT_EQ(added(whole, "godwit_collectives.py"), nullptr);
  EXPECT_TRUE(contains(added(lacking, "godwit_cards.py")->after, "godwit_collectives.group()"));
  EXPECT_FALSE(contains(added(whole, "godwit_cards.py")->after, "collectives"));
  EXPECT_TRUE(says(lacking, "P082", "replaced"));
  EXPECT_FALSE(says(whole, "P082", "replaced"));
}

TEST_F(PortCards, RefusesWhatTheChipCannotDo) {
  const Plan none = make("ascend310b", 2), many = make("ascend310p", 64);
  EXPECT_TRUE(says(none, "P082", "refused"));
  EXPECT_TRUE(says(many, "P082", "too_many"));
  EXPECT_EQ(added(none, "godwit_cards.py"), nullptr);
  EXPECT_EQ(added(many, "godwit_cards.py"), nullptr);
}

TEST_F(PortCards, UndoTakesAddedFilesAwayUnlessTheyWereChanged) {
  const fs::path helper = project_ / "godwit_cards.py";
  ASSERT_TRUE(write_in_place(make("ascend310p", 2)));
  ASSERT_TRUE(fs::exists(helper));
  EXPECT_TRUE(make("ascend310p", 2).files.empty()) << "the second run edits again";
  const std::string text = read_file(helper).value_or("");
  ASSERT_TRUE(write_file(helper, text + "# mine\n"));
  const auto refused = undo(project_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "E115");
  ASSERT_TRUE(write_file(helper, text));
  ASSERT_TRUE(undo(project_));
  EXPECT_FALSE(fs::exists(helper));
  EXPECT_FALSE(fs::exists(project_ / "godwit_collectives.py"));
  EXPECT_EQ(read_file(project_ / "train.py").value_or(""), kProgram);
}

TEST_F(PortCards, AModuleOfTheProjectKeepsItsName) {
  ASSERT_TRUE(write_file(project_ / "godwit_cards.py", "mine = True\n"));
  const auto target = facts::resolve_target("ascend310p");
  const auto made = plan(project_, {.target = *target, .cards = 2});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "E119");
}

TEST_F(PortCards, AFileThatCameInBetweenIsNotOverwritten) {
  const Plan made = make("ascend310p", 2);
  ASSERT_TRUE(write_file(project_ / "godwit_cards.py", "mine = True\n"));
  const Status done = write_in_place(made);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "E113");
  EXPECT_EQ(read_file(project_ / "train.py").value_or(""), kProgram);
}

TEST_F(PortCards, APortForInferenceSharesNothing) {
  const auto target = facts::resolve_target("ascend310p");
  const auto made = plan(project_, {.target = *target, .cards = 2, .mode = Mode::kInference});
  ASSERT_TRUE(made);
  EXPECT_EQ(added(*made, "godwit_cards.py"), nullptr);
  EXPECT_TRUE(says(*made, "P070", "inference"));
  EXPECT_FALSE(says(*made, "P082", "replaced"));
  EXPECT_EQ(outcome(*made).summary["mode"].string(), "inference");
  const Plan trained = make("ascend310p", 2);
  EXPECT_FALSE(says(trained, "P070", "inference"));
  EXPECT_EQ(outcome(trained).summary["mode"].string(), "training");
}

TEST_F(PortCards, CardsWithoutATrainingAreSaid) {
  ASSERT_TRUE(write_file(project_ / "train.py", "import torch\n\nprint(torch.ones(1))\n"));
  EXPECT_TRUE(says(make("ascend310p", 2), "P070", "nothing"));
  EXPECT_FALSE(says(make("ascend310p", 1), "P070", "nothing"));
}

TEST_F(PortCards, ThePortableHelperNamesNoDeviceWithoutAsking) {
  const auto target = facts::resolve_target("ascend910b");
  const auto made = plan(project_, {.target = *target, .cards = 2, .style = Style::kPortable});
  ASSERT_TRUE(made);
  const FilePlan* const helper = added(*made, "godwit_cards.py");
  ASSERT_NE(helper, nullptr);
  EXPECT_TRUE(contains(helper->after, "\"gloo\""));
  EXPECT_FALSE(contains(helper->after, "torch.npu.set_device"));
  EXPECT_FALSE(contains(added(make("ascend910b", 2), "godwit_cards.py")->after, "\"gloo\""));
}

TEST_F(PortCards, ProgramsAreListedWithTheirPortedLaunchLines) {
  fs::create_directories(project_ / "scripts");
  ASSERT_TRUE(
      write_file(project_ / "scripts/run.sh", "#!/bin/sh\npython train.py --lr 0.1 \"$@\"\n"));
  ASSERT_TRUE(write_file(project_ / "more.sh", "python train.py --out $HOME/x\n"));
  const auto target = facts::resolve_target("ascend910b");
  const auto made = plan(project_, {.target = *target, .cards = 2, .lists_programs = true});
  ASSERT_TRUE(made);
  ASSERT_EQ(made->programs.size(), 1U);
  EXPECT_EQ(made->programs[0].path, "train.py");
  EXPECT_EQ(join(made->programs[0].words, " "), "torchrun --nproc_per_node=2 train.py --lr 0.1");
}

}  // namespace
}  // namespace godwit::port
