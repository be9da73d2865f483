// Types, and tensors written as lists of numbers.
#include "ir/parse_parts.h"

#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "ir/parse.h"
#include "ir/words.h"

namespace godwit::ir {
namespace {

constexpr int kDeepestType = 16;

Result<Type> parse_type(Lexer& in, int depth);

Result<Dim> read_dim(Lexer& in) {
  if (in.accept("?")) return Dim::unknown();
  if (in.peek().kind == Token::Kind::kString) return parse_dim(in.take().text);
  if (in.peek().kind == Token::Kind::kName) return Dim::symbol(in.take().text);
  const bool is_negative = in.peek().text.rfind('-', 0) == 0;
  if (is_negative) return in.wrong("dim");
  return in.integer().map([](std::int64_t size) { return Dim(size); });
}

Result<Type> read_tensor_type(Lexer& in, ElementType element) {
  if (!in.accept("[")) return Type::tensor(element, Shape{});
  if (in.accept("]")) return Type::tensor(element);
  Shape shape;
  do {
    ASSIGN(const Dim dim, read_dim(in));
    shape.push_back(dim);
  } while (in.accept(","));
  TRY(in.expect("]"));
  return Type::tensor(element, std::move(shape));
}

Result<Type> read_around(Lexer& in, std::string_view word, int depth) {
  TRY(in.expect("("));
  Type out;
  if (word == "map") {
    out.kind = Type::Kind::kMap;
    out.element = element_type(in.peek().text);
    if (out.element == ElementType::kUndefined) return in.wrong("type");
    in.take();
    TRY(in.expect(","));
  }
  ASSIGN(Type inner, parse_type(in, depth + 1));
  TRY(in.expect(")"));
  if (word == "sparse_tensor") {
    if (!inner.is_tensor()) return in.wrong("type");
    inner.kind = Type::Kind::kSparse;
    return inner;
  }
  if (word == "map") {
    out.inner = std::make_shared<const Type>(std::move(inner));
    return out;
  }
  return Type::around(word == "seq" ? Type::Kind::kSequence : Type::Kind::kOptional,
                      std::move(inner));
}

Result<Type> parse_type(Lexer& in, int depth) {
  if (!starts_type(in.peek()) || depth > kDeepestType) return in.wrong("type");
  const std::string word = in.take().text;
  const ElementType element = element_type(word);
  if (element != ElementType::kUndefined) return read_tensor_type(in, element);
  return read_around(in, word, depth);
}

// Bytes of one number; nothing when the token is none of the type.
template <class T>
bool append(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
  return true;
}

bool append_real(const Token& token, bool is_double, std::string& out) {
  const bool is_number = token.kind == Token::Kind::kInteger || token.kind == Token::Kind::kReal ||
                         token.kind == Token::Kind::kName;
  // strtof and strtod round once; they know inf and nan, as the standard's parser does.
  char* end = nullptr;
  const char* const text = token.text.c_str();
  if (is_double) {
    const double value = std::strtod(text, &end);
    return is_number && !*end && end != text && append(out, value);
  }
  const float value = std::strtof(text, &end);
  return is_number && !*end && end != text && append(out, value);
}

bool append_whole(const Token& token, ElementType type, std::string& out) {
  if (token.kind != Token::Kind::kInteger) return false;
  if (type == ElementType::kUint64 && token.text[0] != '-') {
    char* end = nullptr;
    return append(out, static_cast<std::uint64_t>(std::strtoull(token.text.c_str(), &end, 10)));
  }
  const std::optional<std::int64_t> number = parse_integer(token.text);
  if (!number) return false;
  const std::uint32_t width = bytes_in_memory(type);
  // Unsigned types and the bits of small floats run to 2^n - 1, signed ones from -2^(n-1).
  const std::uint32_t valid = type == ElementType::kBool ? 1 : bits(type) ? bits(type) : 8;
  const bool is_signed = type == ElementType::kInt8 || type == ElementType::kInt16 ||
                         type == ElementType::kInt32 || type == ElementType::kInt64 ||
                         type == ElementType::kInt4 || type == ElementType::kInt2;
  if (valid < 64) {
    const std::int64_t most = (std::int64_t{1} << (is_signed ? valid - 1 : valid)) - 1;
    const std::int64_t least = is_signed ? -most - 1 : 0;
    if (*number > most || *number < least) return false;
  }
  std::int64_t kept = *number;
  if (valid < 8) kept &= (std::int64_t{1} << valid) - 1;
  char bytes[8];
  std::memcpy(bytes, &kept, sizeof bytes);
  out.append(bytes, width);
  return true;
}

bool append_number(const Token& token, ElementType type, std::string& out) {
  switch (type) {
    case ElementType::kFloat:
    case ElementType::kComplex64: return append_real(token, false, out);
    case ElementType::kDouble:
    case ElementType::kComplex128: return append_real(token, true, out);
    default: return append_whole(token, type, out);
  }
}

Result<Sizes> sizes_of(Lexer& in, const Type& type) {
  Sizes out;
  if (!type.is_tensor() || !type.shape) return in.wrong("type");
  for (const Dim dim : *type.shape) {
    if (!dim.is_known()) return in.wrong("type");
    out.push_back(dim.value());
  }
  return out;
}

tl::unexpected<Error> wrong_count(Lexer& in, std::size_t found, const Type& type) {
  return in.fail_at("E169", {{"found", format("{}", found)}, {"type", to_string(type)}});
}

Result<Tensor> parse_strings(Lexer& in, const Type& type, Sizes sizes) {
  std::vector<std::string> values;
  while (!in.is("}")) {
    if (!values.empty()) TRY(in.expect(","));
    ASSIGN(values.emplace_back(), in.string());
  }
  if (count(sizes) != static_cast<std::int64_t>(values.size()))
    return wrong_count(in, values.size(), type);
  in.take();
  return Tensor::of(std::move(sizes), std::move(values));
}

}  // namespace

bool starts_type(const Token& token) {
  return token.kind == Token::Kind::kName && words::is_type_word(token.text);
}

Result<Type> parse_type(Lexer& in) { return parse_type(in, 0); }

Result<Tensor> parse_numbers(Lexer& in, const Type& type) {
  ASSIGN(Sizes sizes, sizes_of(in, type));
  TRY(in.expect("{"));
  if (type.element == ElementType::kString) return parse_strings(in, type, std::move(sizes));
  auto values = std::make_shared<std::string>();
  std::size_t numbers = 0;
  for (; !in.is("}"); ++numbers) {
    if (numbers) TRY(in.expect(","));
    if (!append_number(in.peek(), type.element, *values)) return in.wrong(name(type.element));
    in.take();
  }
  const std::optional<std::int64_t> elements = count(sizes);
  const std::uint64_t wanted = static_cast<std::uint64_t>(elements.value_or(0));
  const std::uint64_t has = values->size();
  if (!elements || wanted > has || wanted * bytes_in_memory(type.element) != has)
    return wrong_count(in, numbers, type);
  in.take();
  return Tensor::view(type.element, std::move(sizes), values->data(), values).aligned();
}

}  // namespace godwit::ir
