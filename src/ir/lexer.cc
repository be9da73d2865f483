// Splits text into names, strings, numbers and signs; # starts a comment.
#include "ir/lexer.h"

#include <utility>

#include "base/text.h"

namespace godwit::ir {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Lexer::Lexer(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
  advance();
}

void Lexer::step() {
  column_ = text_[at_] == '\n' ? 1 : column_ + 1;
  line_ += text_[at_] == '\n';
  ++at_;
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') step();
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      step();
    } else {
      return;
    }
  }
}

void Lexer::read_string() {
  step();
  while (at_ < text_.size() && text_[at_] != '"') {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
    token_.text += text_[at_];
    step();
  }
  if (at_ == text_.size()) {  // never closed: no token
    token_.kind = Token::Kind::kSign;
    token_.text = "\"" + token_.text;
    return;
  }
  step();
  token_.kind = Token::Kind::kString;
}

// -?digits[.digits][e[+-]digits]; -inf and -nan are numbers too.
void Lexer::read_number() {
  const std::size_t start = at_;
  bool is_real = false;
  if (text_[at_] == '-' || text_[at_] == '+') step();
  while (at_ < text_.size()) {
    const char c = text_[at_], before = text_[at_ - (at_ > start)];
    const bool is_exponent_sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
    if (!is_digit(c) && !is_letter(c) && c != '.' && !is_exponent_sign) break;
    is_real |= !is_digit(c);
    step();
  }
  token_.kind = is_real ? Token::Kind::kReal : Token::Kind::kInteger;
  token_.text = std::string(text_.substr(start, at_ - start));
}

void Lexer::advance() {
  skip_blanks();
  token_ = {.line = line_, .column = column_};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  if (c == '"') return read_string();
  if (is_digit(c) || c == '-' || c == '+') return read_number();
  const std::size_t start = at_;
  if (is_letter(c)) {
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) step();
    token_.kind = Token::Kind::kName;
  } else {
    const bool is_arrow = text_.substr(at_, 2) == "=>";
    const bool is_dots = text_.substr(at_, 3) == "...";
    for (int i = 0; i < (is_dots ? 3 : is_arrow ? 2 : 1); ++i) step();
    token_.kind = Token::Kind::kSign;
  }
  token_.text = std::string(text_.substr(start, at_ - start));
}

Token Lexer::second() const {
  Lexer ahead = *this;
  ahead.advance();
  return ahead.token_;
}

Token Lexer::take() {
  Token out = std::move(token_);
  advance();
  return out;
}

bool Lexer::accept(std::string_view sign) {
  if (!is(sign)) return false;
  advance();
  return true;
}

Status Lexer::expect(std::string_view sign) { return accept(sign) ? Status() : wrong(sign); }

Result<std::string> Lexer::name() {
  if (token_.kind != Token::Kind::kName && token_.kind != Token::Kind::kString)
    return wrong("name");
  return take().text;
}

Result<std::string> Lexer::identifier() {
  if (token_.kind != Token::Kind::kName) return wrong("name");
  return take().text;
}

Result<std::string> Lexer::string() {
  if (token_.kind != Token::Kind::kString) return wrong("string");
  return take().text;
}

Result<std::int64_t> Lexer::integer() {
  const auto number = token_.kind == Token::Kind::kInteger ? parse_integer(token_.text)
                                                           : std::optional<std::int64_t>();
  if (!number) return wrong("integer");
  advance();
  return *number;
}

tl::unexpected<Error> Lexer::fail_at(std::string_view code, Args args) const {
  return fail(code, {.file = name_, .line = token_.line, .column = token_.column}, std::move(args));
}

tl::unexpected<Error> Lexer::wrong(std::string_view expected) const {
  const std::string found = token_.kind == Token::Kind::kEnd ? "end" : token_.text;
  return fail_at(
      "E166", {{"found", shorten(to_valid_utf8(found), 60)}, {"expected", std::string(expected)}});
}

}  // namespace godwit::ir
