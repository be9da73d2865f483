// Encodings of source files: their names, and how many bytes one character takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace godwit::syntax {

/// How bytes make up characters; encodings of one shape are masked alike.
enum class Shape : std::uint8_t {
  kUtf8,
  kSingleByte,  // latin-1, cp1252, koi8-r …
  kDoubleByte,  // GBK, GB18030, Big5, EUC-KR, EUC-JP: a lead byte from 0x81 on takes the next one
  kShiftJis,    // 0xA1 to 0xDF stand alone
};

struct Encoding {
  std::string name = "utf-8";  // as iconv knows it
  Shape shape = Shape::kUtf8;
};

/// The encoding that a PEP 263 comment in the first two lines declares; empty when none does.
std::string_view declared_encoding(std::string_view bytes);

/// An encoding by any of the names that Python accepts for it, or nothing.
std::optional<Encoding> find_encoding(std::string_view name);

/// For bytes that are not UTF-8 and declare nothing: GBK when every pair fits it, else latin-1.
Encoding guess_encoding(std::string_view bytes);

/// Bytes of the character that starts at `at`; 1 for a byte that does not fit.
std::size_t character_length(Shape shape, std::string_view bytes, std::size_t at);

/// Text for a person: UTF-8, with U+FFFD where a byte does not fit.
std::string to_utf8(std::string_view bytes, const Encoding& encoding);

}  // namespace godwit::syntax
