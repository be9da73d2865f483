// Which encoding a file is in follows PEP 263; the shapes follow the code pages' byte ranges.
#include "syntax/encoding.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace godwit::syntax {
namespace {

struct Alias {
  std::string_view names;  // normalised as Python does: lower case, '_' for '-' and ' '
  std::string_view name;
  Shape shape;
};

constexpr std::array kAliases = {
    Alias{"utf_8|utf8|u8|utf|utf8_ucs2|utf8_ucs4|utf_8_sig|cp65001|ascii|us_ascii|646", "utf-8",
          Shape::kUtf8},
    Alias{"gbk|936|cp936|ms936", "gbk", Shape::kDoubleByte},
    Alias{"gb2312|chinese|csiso58gb231280|euc_cn|euccn|eucgb2312_cn|gb2312_1980|gb2312_80",
          "gb18030", Shape::kDoubleByte},
    Alias{"gb18030|gb18030_2000", "gb18030", Shape::kDoubleByte},
    Alias{"big5|big5_tw|csbig5|cp950|950|ms950", "big5", Shape::kDoubleByte},
    Alias{"big5hkscs|big5_hkscs|hkscs", "big5-hkscs", Shape::kDoubleByte},
    Alias{"euc_kr|euckr|korean|ksc5601|ks_c_5601|cp949|949|ms949|uhc", "cp949", Shape::kDoubleByte},
    Alias{"johab|cp1361|ms1361", "johab", Shape::kDoubleByte},
    Alias{"euc_jp|eucjp|ujis|u_jis|euc_jis_2004|euc_jisx0213", "euc-jp", Shape::kDoubleByte},
    Alias{"shift_jis|csshiftjis|shiftjis|sjis|s_jis|cp932|932|ms932|mskanji|ms_kanji", "cp932",
          Shape::kShiftJis},
    Alias{"latin_1|latin1|latin|l1|iso_8859_1|iso8859_1|iso8859|8859|cp819", "iso-8859-1",
          Shape::kSingleByte},
    Alias{"cp1250|cp1251|cp1252|cp1253|cp1254|cp1255|cp1256|cp1257|cp1258|cp437|cp850|cp866|"
          "windows_1250|windows_1251|windows_1252|windows_1253|windows_1254|koi8_r|koi8_u|"
          "mac_roman|macroman|macintosh",
          "", Shape::kSingleByte},
};

std::string normalise(std::string_view name) {
  std::string result = to_lower(name);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

bool is_lead(unsigned char byte) { return byte >= 0x81 && byte <= 0xFE; }
bool is_trail(unsigned char byte) { return (byte >= 0x40 && byte <= 0xFE && byte != 0x7F); }

std::size_t utf8_length(std::string_view bytes, std::size_t at) {
  const auto lead = static_cast<unsigned char>(bytes[at]);
  const std::size_t length = lead < 0xC2   ? 1
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 1;
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= bytes.size() || (static_cast<unsigned char>(bytes[at + i]) & 0xC0) != 0x80)
      return 1;
  }
  return length;
}

// GB18030 has four-byte characters too: lead, digit, lead, digit.
std::size_t double_byte_length(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (!is_lead(byte(at)) || at + 1 >= bytes.size()) return 1;
  if (is_trail(byte(at + 1))) return 2;
  const bool four = at + 3 < bytes.size() && std::isdigit(byte(at + 1)) && is_lead(byte(at + 2)) &&
                    std::isdigit(byte(at + 3));
  return four ? 4 : 1;
}

std::size_t shift_jis_length(std::string_view bytes, std::size_t at) {
  const auto lead = static_cast<unsigned char>(bytes[at]);
  const bool starts_pair = (lead >= 0x81 && lead <= 0x9F) || (lead >= 0xE0 && lead <= 0xFC);
  if (!starts_pair || at + 1 >= bytes.size()) return 1;
  return is_trail(static_cast<unsigned char>(bytes[at + 1])) ? 2 : 1;
}

// The name after "coding:" or "coding=" in a comment line; empty when the line has none.
std::string_view coding_of_line(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t\f");
  if (start == std::string_view::npos || line[start] != '#') return {};
  for (std::size_t at = line.find("coding", start); at != std::string_view::npos;
       at = line.find("coding", at + 1)) {
    std::size_t name = at + 6;
    if (name >= line.size() || (line[name] != ':' && line[name] != '=')) continue;
    name = line.find_first_not_of(" \t", name + 1);
    if (name == std::string_view::npos) return {};
    std::size_t end = name;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 ||
                                 line[end] == '-' || line[end] == '_' || line[end] == '.')) {
      ++end;
    }
    if (end > name) return line.substr(name, end - name);
  }
  return {};
}

}  // namespace

std::string_view declared_encoding(std::string_view bytes) {
  for (int line = 0; line < 2 && !bytes.empty(); ++line) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    const std::string_view text = bytes.substr(0, end);
    if (const std::string_view name = coding_of_line(text); !name.empty()) return name;
    // The second line counts only after a comment or an empty line.
    const std::size_t first = text.find_first_not_of(" \t\f");
    if (first != std::string_view::npos && text[first] != '#') return {};
    const bool is_pair = end + 1 < bytes.size() && bytes[end] == '\r' && bytes[end + 1] == '\n';
    bytes.remove_prefix(std::min(bytes.size(), end + (is_pair ? 2 : 1)));
  }
  return {};
}

std::optional<Encoding> find_encoding(std::string_view name) {
  const std::string wanted = normalise(name);
  for (const Alias& alias : kAliases) {
    for (const std::string_view known : split_list(alias.names)) {
      if (known != wanted && !(alias.shape == Shape::kUtf8 && wanted.starts_with("utf_8_")))
        continue;
      return Encoding{alias.name.empty() ? replace_all(wanted, "_", "-") : std::string(alias.name),
                      alias.shape};
    }
  }
  if (wanted.starts_with("iso_8859_") || wanted.starts_with("iso8859_")) {
    return Encoding{"iso-8859-" + wanted.substr(wanted.rfind('_') + 1), Shape::kSingleByte};
  }
  return std::nullopt;
}

Encoding guess_encoding(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    const std::size_t length = byte < 0x80 ? 1 : double_byte_length(bytes, at);
    if (byte >= 0x80 && length == 1) return {"iso-8859-1", Shape::kSingleByte};
    at += length;
  }
  return {"gbk", Shape::kDoubleByte};
}

std::size_t character_length(Shape shape, std::string_view bytes, std::size_t at) {
  if (static_cast<unsigned char>(bytes[at]) < 0x80) return 1;
  switch (shape) {
    case Shape::kUtf8: return utf8_length(bytes, at);
    case Shape::kSingleByte: return 1;
    case Shape::kDoubleByte: return double_byte_length(bytes, at);
    case Shape::kShiftJis: return shift_jis_length(bytes, at);
  }
  return 1;
}

std::string to_utf8(std::string_view bytes, const Encoding& encoding) {
  if (encoding.shape == Shape::kUtf8) return to_valid_utf8(bytes);
  const iconv_t converter = ::iconv_open("UTF-8", encoding.name.c_str());
  // A system without the converter still gets a line it can show.
  if (converter == reinterpret_cast<iconv_t>(-1)) return to_valid_utf8(bytes);
  std::string input(bytes);
  std::string result;
  char* from = input.data();
  std::size_t left = input.size();
  while (left > 0) {
    std::array<char, 256> buffer{};
    char* to = buffer.data();
    std::size_t room = buffer.size();
    const std::size_t before = left;
    ::iconv(converter, &from, &left, &to, &room);
    result.append(buffer.data(), buffer.size() - room);
    if (left > 0 && left == before && room == buffer.size()) {
      result += "\xEF\xBF\xBD";
      ++from;
      --left;
    }
  }
  ::iconv_close(converter);
  return result;
}

}  // namespace godwit::syntax
