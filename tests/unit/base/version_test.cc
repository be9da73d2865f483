// The version is three numbers: packages and the manifest rely on it.
#include "base/version.h"

#include <gtest/gtest.h>

namespace godwit {
namespace {

TEST(Version, IsThreeNumbers) {
  int major = -1;
  int minor = -1;
  int patch = -1;
  EXPECT_EQ(std::sscanf(version().data(), "%d.%d.%d", &major, &minor, &patch), 3);
}

}  // namespace
}  // namespace godwit
