// Quoting, and the spelling of types.
#include "ir/words.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace godwit::ir::words {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string dim(Dim dim) {
  if (dim.is_anonymous()) return "?";
  const std::string text = dim.to_string();
  return dim.is_known() || is_identifier(text) ? text : words::quoted(text);
}

std::string around(std::string_view word, const Type& type) {
  return format("{}({})", word, type.inner ? words::type(*type.inner) : "float[]");
}

// In the order of AttributeProto.AttributeType.
constexpr std::array<std::string_view, 15> kKinds = {
    "undefined",      "float",      "int",        "string",  "tensor", "graph",
    "floats",         "ints",       "strings",    "tensors", "graphs", "sparse_tensor",
    "sparse_tensors", "type_proto", "type_protos"};
// The place in it of each alternative of Attribute::Payload.
constexpr std::array<std::size_t, 11> kAlternatives = {2, 1, 3, 7, 6, 8, 4, 9, 5, 10, 13};

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_type_word(std::string_view text) {
  return element_type(text) != ElementType::kUndefined || text == "seq" || text == "optional" ||
         text == "map" || text == "sparse_tensor";
}

std::string name(std::string_view text) {
  return is_identifier(text) && !is_type_word(text) ? std::string(text) : quoted(text);
}

std::string domain(std::string_view text) {
  for (const std::string_view part : split(text, '.')) {
    if (!is_identifier(part)) return quoted(text);
  }
  return std::string(text);
}

std::string type(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kSequence: return around("seq", type);
    case Type::Kind::kOptional: return around("optional", type);
    case Type::Kind::kMap:
      return format("map({}, {})", ir::name(type.element),
                    type.inner ? words::type(*type.inner) : "float[]");
    case Type::Kind::kUnknown: return "";
    default: break;
  }
  std::string out(ir::name(type.element));
  if (!type.shape) {
    out += "[]";
  } else if (!type.shape->empty()) {
    for (std::size_t i = 0; i < type.shape->size(); ++i)
      out += (i ? "," : "[") + dim((*type.shape)[i]);
    out += "]";
  }
  return type.kind == Type::Kind::kSparse ? format("sparse_tensor({})", out) : out;
}

std::string_view kind(const Attribute::Payload& value) {
  const bool is_reference = std::holds_alternative<Reference>(value);
  return kKinds[is_reference ? 0 : kAlternatives[value.index()]];
}

}  // namespace godwit::ir::words
