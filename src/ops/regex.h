// Regular expressions in the syntax of RE2 (https://github.com/google/re2/wiki/Syntax), matched in
// time linear in the text whatever the expression.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace godwit::ops {

class Regex {
 public:
  struct Range {
    char32_t first;
    char32_t last;
  };

  /// Nothing for what RE2 would refuse, and for what we do not have: classes by Unicode property,
  /// \C, case folding beyond ASCII, expressions that grow over 20,000 steps.
  static std::optional<Regex> parse(std::string_view pattern);

  /// Whether the expression matches the whole text, which is UTF-8. Nothing when it is not.
  std::optional<bool> matches(std::string_view text) const;

 private:
  friend class RegexParser;
  struct Step {
    enum class Kind : std::uint8_t { kClass, kFork, kAssert, kAccept };
    Kind kind = Kind::kAccept;
    std::uint32_t next = 0;
    std::uint32_t other = 0;      // of a fork
    char assertion = 0;           // ^ $ (lines), A z (text), b B (words)
    std::vector<Range> ranges{};  // of a class, not negated
  };

  static bool contains(const std::vector<Range>& ranges, char32_t c);
  static bool is_word(char32_t c);  // a letter of ASCII, a digit or _
  static bool holds(char assertion, std::u32string_view text, std::size_t at);
  void add(std::vector<std::uint32_t>& states, std::vector<std::uint32_t>& seen,
           std::uint32_t stamp, std::uint32_t start, std::u32string_view text,
           std::size_t at) const;

  std::vector<Step> steps_{};
  std::uint32_t start_ = 0;
};

}  // namespace godwit::ops
