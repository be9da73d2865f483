// Tokens of the text form, each with its place.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace godwit::ir {

struct Token {
  enum class Kind : std::uint8_t { kEnd, kName, kString, kInteger, kReal, kSign } kind = Kind::kEnd;
  std::string text{};  // of a string: what stands between the quotes
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Reads one token ahead. Errors, all with line and column: E166 another token than the grammar
/// wants, or bytes that are none.
class Lexer {
 public:
  Lexer(std::string_view text, std::string name);
  const Token& peek() const { return token_; }
  /// The token behind the next one.
  Token second() const;
  Token take();
  bool is(std::string_view sign) const {
    return token_.kind == Token::Kind::kSign && token_.text == sign;
  }
  /// Takes the sign when it is next.
  bool accept(std::string_view sign);
  Status expect(std::string_view sign);
  /// A name, with or without quotes.
  Result<std::string> name();
  /// A name without quotes.
  Result<std::string> identifier();
  Result<std::string> string();
  Result<std::int64_t> integer();

  /// E166 at the next token: `expected` is a word of the grammar.
  tl::unexpected<Error> wrong(std::string_view expected) const;
  tl::unexpected<Error> fail_at(std::string_view code, Args args) const;

 private:
  void advance();
  void skip_blanks();
  void step();
  void read_string();
  void read_number();

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
  Token token_;
};

}  // namespace godwit::ir
