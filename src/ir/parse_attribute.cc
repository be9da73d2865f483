// The kind of an attribute is what its annotation says, else what its value looks like.
#include "ir/parse_attribute.h"

#include <cstdlib>
#include <utility>

#include "ir/parse_parts.h"

namespace godwit::ir {
namespace {

using Payload = Attribute::Payload;
using TensorPointer = std::shared_ptr<const Tensor>;

class AttributeReader {
 public:
  AttributeReader(Lexer& in, const GraphReader& read_graph) : in_(in), read_graph_(read_graph) {}

  Result<Payload> value(const std::string& kind) {
    const Token& next = in_.peek();
    const bool is_graph = is_name(next) && in_.second().text == "(" && !starts_type(next);
    if (is_graph) return graph();
    if (next.kind == Token::Kind::kString) return Payload(in_.take().text);
    if (in_.accept("@")) return reference();
    if (in_.accept("[")) return list(kind);
    if (starts_type(next)) return typed();
    return number(kind == "float");
  }

 private:
  static bool is_name(const Token& token) {
    return token.kind == Token::Kind::kName || token.kind == Token::Kind::kString;
  }

  Result<Payload> graph() {
    ASSIGN(const GraphId id, read_graph_());
    return Payload(Subgraph{id});
  }

  Result<Payload> reference() {
    ASSIGN(std::string name, in_.identifier());
    return Payload(Reference{std::move(name)});
  }

  Result<Payload> number(bool as_float) {
    if (in_.peek().kind == Token::Kind::kInteger && !as_float) {
      ASSIGN(const std::int64_t whole, in_.integer());
      return Payload(whole);
    }
    const Token& next = in_.peek();
    char* end = nullptr;
    const float real = std::strtof(next.text.c_str(), &end);
    const bool is_number = next.kind == Token::Kind::kInteger || next.kind == Token::Kind::kReal ||
                           next.kind == Token::Kind::kName;
    if (!is_number || *end || end == next.text.c_str()) return in_.wrong("value");
    in_.take();
    return Payload(real);
  }

  // A type, or a tensor of it, which may have a name that nobody needs.
  Result<Payload> typed() {
    ASSIGN(Type type, parse_type(in_));
    const bool has_name =
        is_name(in_.peek()) && (in_.second().text == "{" || in_.second().text == "=");
    if (has_name) in_.take();
    if (!in_.accept("=") && !in_.is("{")) return Payload(std::move(type));
    ASSIGN(Tensor held, parse_numbers(in_, type));
    return Payload(std::make_shared<const Tensor>(std::move(held)));
  }

  Result<Payload> empty(const std::string& kind) const {
    if (kind == "ints") return Payload(std::vector<std::int64_t>());
    if (kind == "floats") return Payload(std::vector<float>());
    if (kind == "strings") return Payload(std::vector<std::string>());
    if (kind == "tensors") return Payload(std::vector<TensorPointer>());
    if (kind == "graphs") return Payload(std::vector<Subgraph>());
    return in_.wrong("value");
  }

  // All items have the kind of the first; a list of whole and other numbers is one of floats.
  Result<Payload> list(const std::string& kind) {
    std::vector<Payload> items;
    const std::string each = kind == "floats" ? "float" : "";
    bool has_float = kind == "floats";
    while (!in_.accept("]")) {
      if (!items.empty()) TRY(in_.expect(","));
      if (in_.is("[")) return in_.wrong("value");
      ASSIGN(items.emplace_back(), value(each));
      has_float |= std::holds_alternative<float>(items.back());
    }
    if (items.empty()) return empty(kind);
    if (has_float) return floats(items);
    const Payload& first = items[0];
    if (std::holds_alternative<std::int64_t>(first)) return gather<std::int64_t>(items);
    if (std::holds_alternative<std::string>(first)) return gather<std::string>(items);
    if (std::holds_alternative<TensorPointer>(first)) return gather<TensorPointer>(items);
    if (std::holds_alternative<Subgraph>(first)) return gather<Subgraph>(items);
    return in_.wrong("value");
  }

  Result<Payload> floats(const std::vector<Payload>& items) const {
    std::vector<float> out;
    for (const Payload& item : items) {
      const auto* const whole = std::get_if<std::int64_t>(&item);
      const auto* const real = std::get_if<float>(&item);
      if (!whole && !real) return in_.wrong("value");
      out.push_back(real ? *real : static_cast<float>(*whole));
    }
    return Payload(std::move(out));
  }

  template <class T>
  Result<Payload> gather(const std::vector<Payload>& items) const {
    std::vector<T> out;
    for (const Payload& item : items) {
      const T* const one = std::get_if<T>(&item);
      if (!one) return in_.wrong("value");
      out.push_back(*one);
    }
    return Payload(std::move(out));
  }

  Lexer& in_;
  const GraphReader& read_graph_;
};

}  // namespace

Result<Attribute> parse_attribute(Lexer& in, const GraphReader& read_graph) {
  ASSIGN(std::string name, in.name());
  std::string kind;
  if (in.accept(":")) {
    ASSIGN(kind, in.identifier());
  }
  TRY(in.expect("="));
  ASSIGN(Payload value, AttributeReader(in, read_graph).value(kind));
  return Attribute{std::move(name), std::move(value)};
}

}  // namespace godwit::ir
