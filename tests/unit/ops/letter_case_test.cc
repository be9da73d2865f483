// Upper and lower case by script, and the letters that are refused.
#include "ops/letter_case.h"

#include <gtest/gtest.h>

namespace godwit::ops {
namespace {

TEST(LetterCase, MapsLettersOneForOne) {
  EXPECT_EQ(to_case("Ab1 ÀŸ Žž Ωή Яё 飞机", LetterCase::kLower), "ab1 àÿ žž ωή яё 飞机");
  EXPECT_EQ(to_case("aB1 àÿ Žž ωή яё 飞机", LetterCase::kUpper), "AB1 ÀŸ ŽŽ ΩΉ ЯЁ 飞机");
}

TEST(LetterCase, RefusesLettersItDoesNotKnow) {
  EXPECT_FALSE(to_case("Straße", LetterCase::kUpper));
  EXPECT_FALSE(to_case("ΟΔΟΣ", LetterCase::kLower));  // the last sigma has a form of its own
  EXPECT_FALSE(to_case("ա", LetterCase::kUpper));
  EXPECT_FALSE(to_case("\xff", LetterCase::kUpper));
}

}  // namespace
}  // namespace godwit::ops
