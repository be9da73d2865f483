// The order of versions: known pairs of every notation, and the laws of a total order on all of
// them.
#include "facts/version.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace godwit::facts {
namespace {

Version version(std::string_view text) {
  const auto parsed = Version::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(*Version::parse("0"));
}

Range range(std::string_view text) {
  const auto parsed = Range::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(*Range::parse("*"));
}

// Ascending; each notation of CANN, driver, torch_npu, torch, CUDA and Python occurs.
const std::vector<std::string> kAscending = {"1.11.0.rc1b",
                                             "1.11.0.rc1",
                                             "1.11.0.rc2b",
                                             "1.11.0",
                                             "1.11.0.post1",
                                             "1.11.0.post14",
                                             "2.0.1.rc1",
                                             "2.0.4.tr5",
                                             "2.1.0.dev20230101",
                                             "2.1.0a1",
                                             "2.1.0b2",
                                             "2.1.0rc1",
                                             "2.1.0",
                                             "2.1.0.post4.dev1",
                                             "2.1.0.post4",
                                             "2.1.0.post13",
                                             "2.1.1",
                                             "2.10.0",
                                             "3.20.3",
                                             "6.3.RC3",
                                             "6.3.RC3.1",
                                             "8.0.T6",
                                             "8.0.RC1",
                                             "8.0.RC2",
                                             "8.0.RC3",
                                             "8.0.0",
                                             "8.0.1",
                                             "8.2.RC1.alpha001",
                                             "8.2.RC1.alpha003",
                                             "8.2.RC1",
                                             "8.2.RC1.1",
                                             "8.2.0",
                                             "8.5.0",
                                             "25.0.rc1",
                                             "25.0.rc1.1",
                                             "25.0.0",
                                             "25.5.2",
                                             "450.80.02",
                                             "450.102.04"};

TEST(Version, OrdersEveryNotation) {
  for (std::size_t i = 0; i < kAscending.size(); ++i) {
    for (std::size_t j = 0; j < kAscending.size(); ++j) {
      const auto order = version(kAscending[i]) <=> version(kAscending[j]);
      EXPECT_EQ(order < 0, i < j) << kAscending[i] << " and " << kAscending[j];
      EXPECT_EQ(order > 0, i > j) << kAscending[i] << " and " << kAscending[j];
    }
  }
}

TEST(Version, SameInOtherWords) {
  for (const auto& [left, right] :
       std::vector<std::pair<std::string, std::string>>{{"8.2.RC1", "8.2.rc1"},
                                                        {"8.5", "8.5.0"},
                                                        {"v2.1.0", "2.1"},
                                                        {"2.1.0+cpu", "2.1.0+cu121"},
                                                        {"2.1.0rc1", "2.1.0-rc1"},
                                                        {"8.0.RC1", "8.RC1"},
                                                        {"25.0.RC1.0", "25.0.rc1"}}) {
    EXPECT_TRUE(version(left) == version(right)) << left << " and " << right;
  }
}

// A small generator, so that the laws are tried on words nobody thought of.
std::string random_version(std::uint32_t& state) {
  const auto next = [&](std::uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % below;
  };
  static const std::vector<std::string> kTags = {"rc",    "RC",  "alpha", "b",
                                                 ".post", "dev", ".tr",   "t"};
  std::string out = std::to_string(next(3));
  for (std::uint32_t parts = next(4); parts > 0; --parts) out += "." + std::to_string(next(3));
  for (std::uint32_t tags = next(3); tags > 0; --tags) {
    out += (next(2) ? "." : "") + kTags[next(8)] + std::to_string(next(3));
    if (next(2)) out += "." + std::to_string(next(2));
  }
  return out;
}

TEST(Version, IsATotalOrder) {
  std::uint32_t state = 7;
  std::vector<Version> all;
  for (int i = 0; i < 120; ++i) all.push_back(version(random_version(state)));
  for (const Version& a : all) {
    EXPECT_TRUE(a == a);
    for (const Version& b : all) {
      EXPECT_EQ(a<b, b> a) << a.text() << " " << b.text();
      EXPECT_EQ((a < b) + (a == b) + (a > b), 1) << a.text() << " " << b.text();
      for (const Version& c : all) {
        EXPECT_TRUE(!(a <= b && b <= c) || a <= c)
            << a.text() << " " << b.text() << " " << c.text();
      }
    }
  }
}

TEST(Version, RefusesWhatIsNone) {
  for (const std::string_view text : {"", "abc", "+cpu", ".1", "1.2/3", "1:2", "\xff\xfe", "v"}) {
    EXPECT_FALSE(Version::parse(text)) << text;
  }
  EXPECT_TRUE(Version::parse(std::string(100000, '9')));
  EXPECT_EQ(version("2.1.0+cu121").local(), "cu121");
  EXPECT_EQ(version("3.10.12").leading(2), "3.10");
  EXPECT_TRUE(version("3.10.12").has_prefix(version("3.10")));
  EXPECT_FALSE(version("3.10.12").has_prefix(version("3.1")));
  EXPECT_TRUE(version("8.2.RC1").is_prerelease());
  EXPECT_FALSE(version("2.1.0.post13").is_prerelease());
}

TEST(Range, HoldsWhatItSays) {
  struct Case {
    std::string_view range, version;
    bool holds;
  };
  for (const Case& c : std::vector<Case>{{">=11.4,<12.2", "11.8", true},
                                         {">=11.4,<12.2", "12.2", false},
                                         {">=450.80.02", "450.80.2", true},
                                         {">=5.1.RC2", "5.1.RC1", false},
                                         {">=5.1.RC2", "5.1.rc2", true},
                                         {"<=3.20.0", "3.20.3", false},
                                         {"25.5.X|25.0.X", "25.0.rc1.1", true},
                                         {"25.5.X|25.0.X", "25.2.0", false},
                                         {"==2.1.*", "2.1.0.post4", true},
                                         {"~=2.1", "2.9", true},
                                         {"~=2.1", "3.0", false},
                                         {"~=2.1.3", "2.2", false},
                                         {"^0.3.1", "0.4", false},
                                         {"^1.2", "1.9", true},
                                         {"!=2.0", "2.0", false},
                                         {"!=2.0.*", "2.1", true},
                                         {"2.1.0", "2.1.0+cpu", true},
                                         {"> 1.0 < 2.0", "1.5", true},
                                         {"*", "1", true},
                                         {"", "1", true}}) {
    EXPECT_EQ(range(c.range).contains(version(c.version)), c.holds) << c.range << " " << c.version;
  }
  for (const std::string_view text : {">=", "abc", ">=1.0,<", "==x"})
    EXPECT_FALSE(Range::parse(text)) << text;
}

TEST(Range, KnowsWhatTwoShare) {
  EXPECT_FALSE(range("<2.0").overlaps(range(">=2.0")));
  EXPECT_TRUE(range("<=2.0").overlaps(range(">=2.0")));
  EXPECT_TRUE(range(">1.0,<2.0").overlaps(range(">=1.19.2")));
  EXPECT_TRUE(range("!=3.0.*").overlaps(range(">=3.0")));
  EXPECT_FALSE(range("3.20.x").overlaps(range(">=4")));
  EXPECT_TRUE(range("25.2.0|25.5.X").reached_by(version("25.3.RC1")));
  EXPECT_FALSE(range("25.2.0").reached_by(version("25.0.RC1")));
  EXPECT_EQ(range("==2.1.0").pinned()->text(), "2.1.0");
  EXPECT_FALSE(range(">=2.1.0").pinned());
}

TEST(Range, JoinsWithoutWhatIsImplied) {
  const auto joined = [](std::string_view a, std::string_view b) {
    const auto both = range(a).joined(range(b));
    return both ? both->text() : "nothing";
  };
  EXPECT_EQ(joined(">=1", ">=2"), ">=2");
  EXPECT_EQ(joined(">=1.19.2,<2", ">=1.20"), ">=1.20,<2");
  EXPECT_EQ(joined("<2", ">1.0,!=1.5,!=3"), ">1.0,<2,!=1.5");
  EXPECT_EQ(joined("==1.24.*", ">=1.19,<1.25"), "==1.24.*");
  EXPECT_EQ(joined("3.20.1", "3.20.X"), "==3.20.1");
  EXPECT_EQ(joined("25.2.0|25.5.X", ">=25.3"), "==25.5.*");
  EXPECT_EQ(joined("", ">=1,>=1.0"), ">=1.0");
  EXPECT_EQ(joined("*", ""), "");
  EXPECT_EQ(joined(">=4", "3.20.*"), "nothing");
  EXPECT_EQ(joined(">=2,<1", ""), "nothing");
}

TEST(PackageName, IsWhatIndexesCompare) {
  EXPECT_EQ(package_name("Torch-NPU"), "torch_npu");
  EXPECT_EQ(package_name("ruamel.-yaml"), "ruamel_yaml");
}

}  // namespace
}  // namespace godwit::facts
