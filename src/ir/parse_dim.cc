// Reads dims back. Symbols may have any name, "batch-size" too: a text is an expression only if
// it is written exactly as that expression is printed.
#include <optional>

#include "base/text.h"
#include "ir/parse.h"
#include "ir/words.h"

namespace godwit::ir {
namespace {

class DimReader {
 public:
  explicit DimReader(std::string_view text) : text_(text) {}

  std::optional<Dim> whole() {
    const std::optional<Dim> out = sum(0);
    return at_ == text_.size() ? out : std::nullopt;
  }

 private:
  static constexpr int kDeepest = 32;

  bool accept(std::string_view part) {
    if (text_.substr(at_, part.size()) != part) return false;
    at_ += part.size();
    return true;
  }

  std::optional<Dim> sum(int depth) {
    if (depth > kDeepest) return std::nullopt;
    const bool negative = accept("-");
    std::optional<Dim> out = product(depth);
    if (out && negative) out = Dim(0) - *out;
    while (out) {
      const bool plus = accept(" + ");
      if (!plus && !accept(" - ")) break;
      const std::optional<Dim> next = product(depth);
      out = !next ? next : plus ? *out + *next : *out - *next;
    }
    return out;
  }

  std::optional<Dim> product(int depth) {
    std::optional<Dim> out = factor(depth);
    while (out && accept("*")) {
      const std::optional<Dim> next = factor(depth);
      out = next ? std::optional(*out * *next) : next;
    }
    return out;
  }

  std::optional<Dim> factor(int depth) {
    if (accept("floor(")) return quotient(depth);
    if (accept("max(")) {
      const std::optional<Dim> a = sum(depth + 1);
      const std::optional<Dim> b = a && accept(", ") ? sum(depth + 1) : std::nullopt;
      return b && accept(")") ? std::optional(max(*a, *b)) : std::nullopt;
    }
    const std::size_t end = text_.find_first_of(" */(),", at_);
    const std::string_view word = text_.substr(at_, end - at_);
    at_ += word.size();
    if (const auto number = parse_unsigned_number(word)) return Dim(*number);
    return words::is_identifier(word) ? std::optional(Dim::symbol(word)) : std::nullopt;
  }

  // floor(a/b), floor((a + c)/b)
  std::optional<Dim> quotient(int depth) {
    const bool in_brackets = accept("(");
    const std::optional<Dim> a = in_brackets ? sum(depth + 1) : product(depth + 1);
    if (!a || (in_brackets && !accept(")")) || !accept("/")) return std::nullopt;
    const std::optional<Dim> b = sum(depth + 1);
    return b && accept(")") ? std::optional(floor_div(*a, *b)) : std::nullopt;
  }

  static std::optional<std::int64_t> parse_unsigned_number(std::string_view word) {
    return word.empty() || word[0] == '-' ? std::nullopt : parse_integer(word);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Dim parse_dim(std::string_view text) {
  const std::optional<Dim> read = DimReader(text).whole();
  return read && read->to_string() == text ? *read : Dim::symbol(text);
}

}  // namespace godwit::ir
