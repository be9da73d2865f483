// Case mappings by ranges, from the Unicode character database (simple mappings).
#include "ops/letter_case.h"

#include <cstdint>

#include "ops/code_points.h"

namespace godwit::ops {
namespace {

// Letters [first, last] that are upper case where (letter - first) % step == 0 and whose lower case
// lies `distance` further. Step 2: pairs that stand side by side.
struct CaseRange {
  char32_t first, last;
  std::uint32_t distance;
  std::uint32_t step;
};
constexpr CaseRange kRanges[] = {
    {U'A', U'Z', 32, 1},   {0xC0, 0xD6, 32, 1},    {0xD8, 0xDE, 32, 1},    {0x100, 0x12E, 1, 2},
    {0x132, 0x136, 1, 2},  {0x139, 0x147, 1, 2},   {0x14A, 0x176, 1, 2},   {0x179, 0x17D, 1, 2},
    {0x388, 0x38A, 37, 1}, {0x391, 0x3A1, 32, 1},  {0x3A3, 0x3AB, 32, 1},  {0x400, 0x40F, 80, 1},
    {0x410, 0x42F, 32, 1}, {0x460, 0x480, 1, 2},   {0x48A, 0x4BE, 1, 2},   {0x4C1, 0x4CD, 1, 2},
    {0x4D0, 0x52E, 1, 2},  {0x1E00, 0x1E94, 1, 2}, {0x1EA0, 0x1EFE, 1, 2},
};
struct Pair {
  char32_t upper, lower;
};
constexpr Pair kPairs[] = {{0x178, 0xFF},  {0x386, 0x3AC}, {0x38C, 0x3CC},
                           {0x38E, 0x3CD}, {0x38F, 0x3CE}, {0x4C0, 0x4CF}};

// Scripts with case that the tables leave out, and letters whose other case is not one letter.
struct Block {
  char32_t first, last;
};
constexpr Block kUnknown[] = {
    {0xB5, 0xB5},       {0xDF, 0xDF},       {0x130, 0x131},     {0x149, 0x149},
    {0x17F, 0x2AF},     {0x345, 0x345},     {0x370, 0x377},     {0x37B, 0x37F},
    {0x390, 0x390},     {0x3A3, 0x3A3},     {0x3B0, 0x3B0},     {0x3C2, 0x3C2},
    {0x3CF, 0x3FF},     {0x531, 0x587},     {0x10A0, 0x10FF},   {0x13A0, 0x13FD},
    {0x1C80, 0x1CBF},   {0x1D79, 0x1DBF},   {0x1E96, 0x1E9F},   {0x1F00, 0x1FFF},
    {0x2126, 0x2132},   {0x214E, 0x2188},   {0x24B6, 0x24E9},   {0x2C00, 0x2DFF},
    {0xA640, 0xA7FF},   {0xAB30, 0xABBF},   {0xFB00, 0xFB17},   {0xFF21, 0xFF5A},
    {0x10400, 0x104FB}, {0x10570, 0x105BC}, {0x10C80, 0x10CF2}, {0x118A0, 0x118DF},
    {0x16E40, 0x16E7F}, {0x1E900, 0x1E943},
};

bool is_unknown(char32_t letter) {
  for (const Block& block : kUnknown) {
    if (letter >= block.first && letter <= block.last) return true;
  }
  return false;
}

char32_t mapped(char32_t letter, LetterCase wanted) {
  const bool to_lower = wanted == LetterCase::kLower;
  for (const CaseRange& range : kRanges) {
    const char32_t shift = to_lower ? 0 : range.distance;
    const bool is_in = letter >= range.first + shift && letter <= range.last + shift &&
                       (letter - range.first - shift) % range.step == 0;
    if (is_in) return to_lower ? letter + range.distance : letter - range.distance;
  }
  for (const Pair& pair : kPairs) {
    if (letter == (to_lower ? pair.upper : pair.lower)) return to_lower ? pair.lower : pair.upper;
  }
  return letter;
}

}  // namespace

std::optional<std::string> to_case(std::string_view text, LetterCase wanted) {
  std::optional<std::u32string> letters = code_points(text);
  if (!letters) return std::nullopt;
  for (char32_t& letter : *letters) {
    if (is_unknown(letter)) return std::nullopt;
    letter = mapped(letter, wanted);
  }
  return to_utf8(*letters);
}

}  // namespace godwit::ops
