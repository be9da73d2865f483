// The words of the text form: what a name, a type and an attribute's kind look like.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "ir/model.h"

namespace godwit::ir::words {

/// In quotes, with \" and \\ escaped; nothing else is.
std::string quoted(std::string_view text);
/// Letters, digits and _, not starting with a digit.
bool is_identifier(std::string_view text);
/// Words that start a type: "float", "seq" …
bool is_type_word(std::string_view text);
/// As it is when it is an identifier and no word of types; else in quotes.
std::string name(std::string_view text);
/// Identifiers with dots between them; else in quotes.
std::string domain(std::string_view text);
std::string type(const Type& type);
/// "int", "floats", "tensor" …; "undefined" of a reference, which does not know what it stands for.
std::string_view kind(const Attribute::Payload& value);

/// Element i of an array at any address.
template <class T>
T load(const std::byte* data, std::size_t i) {
  T out;
  std::memcpy(&out, data + i * sizeof(T), sizeof(T));
  return out;
}

}  // namespace godwit::ir::words
