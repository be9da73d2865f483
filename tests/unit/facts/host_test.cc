// Host names: what starts no operator is handled by the framework; nothing else becomes so.
#include <gtest/gtest.h>

#include "facts/eager.h"
#include "facts/soc.h"

namespace godwit::facts {
namespace {

Verdict judge(std::string_view api) {
  const auto target = resolve_target("ascend310p");
  const auto verdict = eager_verdict(api, target->soc, {.mode = Mode::kTraining});
  EXPECT_TRUE(verdict) << api;
  return verdict ? verdict->verdict : Verdict::kUnknown;
}

TEST(HostNames, AreNotUnknown) {
  for (const char* api : {"torch.nn.Module", "torch.nn.Module.eval", "torch.nn.Linear.weight",
                          "torch.float32", "torch.utils.data.DataLoader", "torch.no_grad",
                          "torch.cuda.synchronize", "torch.cuda.amp.GradScaler.scale"}) {
    EXPECT_EQ(judge(api), Verdict::kFramework) << api;
  }
}

TEST(HostNames, AreAClosedList) {
  for (const char* api : {"torch.nonsense", "torch.nn.Linear.nonsense", "torch.nn.weight",
                          "torch.cuda.nonsense", "other.float32"}) {
    EXPECT_EQ(judge(api), Verdict::kUnknown) << api;
  }
  EXPECT_EQ(judge("torch.nn.Embedding"), Verdict::kBlockedBackward);
}

}  // namespace
}  // namespace godwit::facts
