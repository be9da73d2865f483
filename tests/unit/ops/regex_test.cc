// Regular expressions: what matches whole texts, what is refused, and that no text takes long.
#include "ops/regex.h"

#include <gtest/gtest.h>

#include <string>

namespace godwit::ops {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  const std::optional<Regex> regex = Regex::parse(pattern);
  EXPECT_TRUE(regex) << pattern;
  return regex && regex->matches(text).value_or(false);
}

TEST(Regex, MatchesTheWholeText) {
  EXPECT_TRUE(matches("ab|cd", "cd"));
  EXPECT_FALSE(matches("ab|cd", "abd"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches(R"([\w.]+@[a-z]+\.(?:com|org))", "a.b@example.org"));
  EXPECT_FALSE(matches(R"([\w.]+@[a-z]+\.(?:com|org))", "a.b@example.net"));
}

TEST(Regex, RepeatsAsOftenAsItSays) {
  EXPECT_TRUE(matches("a{2,3}", "aaa"));
  EXPECT_FALSE(matches("a{2,3}", "aaaa"));
  EXPECT_TRUE(matches("a{2,}?", "aaaaa"));
  EXPECT_TRUE(matches("(ab?)*", "aabab"));
  EXPECT_TRUE(matches("a{0}", ""));
  EXPECT_TRUE(matches("a{,2}", "a{,2}"));  // no count: text
}

TEST(Regex, KnowsClasses) {
  EXPECT_TRUE(matches(R"([^\d\s]+)", "abc"));
  EXPECT_FALSE(matches(R"([^\d\s]+)", "ab1"));
  EXPECT_TRUE(matches("[]a-c]+", "]b"));
  EXPECT_TRUE(matches("[[:alpha:]-]+", "a-b"));
  EXPECT_FALSE(matches(".", "\n"));
  EXPECT_TRUE(matches("(?s).", "\n"));
  EXPECT_TRUE(matches("..", "飞机"));
  EXPECT_TRUE(matches(R"(\x{98de}\x41)", "飞A"));
}

TEST(Regex, KnowsFlagsAndPlaces) {
  EXPECT_TRUE(matches("(?i)KeLvin", "kElVIN"));
  EXPECT_FALSE(matches("(?i:a)b", "AB"));
  EXPECT_TRUE(matches("^a$", "a"));
  EXPECT_FALSE(matches("a^b", "ab"));
  EXPECT_TRUE(matches("(?m)a$\n^b", "a\nb"));
  EXPECT_TRUE(matches(R"(a\b b)", "a b"));
  EXPECT_FALSE(matches(R"(a\Bb)", "a b"));
  EXPECT_TRUE(matches(R"(\Qa.b\E)", "a.b"));
}

TEST(Regex, RefusesWhatItDoesNotHave) {
  for (const char* const pattern :
       {"(", ")", "a**", "[a", "[b-a]", "*a", R"(\1)", R"(\pL)", "(?=a)", "a{1001}",
        "((a{999}){999}){999}", "(?i)é", "\\", "[[:no:]]"})
    EXPECT_FALSE(Regex::parse(pattern)) << pattern;
}

// A matcher that tries one way after the other would take 2^60 steps.
TEST(Regex, TakesTimeInProportionToTheText) {
  EXPECT_FALSE(matches("(a*)*(a*)*(a|aa)+b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace godwit::ops
