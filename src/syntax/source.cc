// Masking keeps offsets: the parser sees letters where another encoding has bytes it would misread.
#include "syntax/source.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/text.h"
#include "syntax/encoding.h"

namespace godwit::syntax {
namespace {

constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";
constexpr std::size_t kLongLine = 1024;  // bytes

// Letters that no API name or keyword is made of, so that masked text never looks like a word, but
// different names of the same length mostly stay different.
constexpr std::string_view kMaskLetters = "QXZJKVWY";

char mask_letter(char byte) { return kMaskLetters[static_cast<unsigned char>(byte) % 8]; }

bool has_lone_return(std::string_view bytes) {
  for (std::size_t at = bytes.find('\r'); at != std::string_view::npos;
       at = bytes.find('\r', at + 1)) {
    if (at + 1 == bytes.size() || bytes[at + 1] != '\n') return true;
  }
  return false;
}

// Python ends a line at a lone carriage return, the grammar does not.
void mask_lone_returns(std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) text[i] = '\n';
  }
}

// UTF-8 text is left alone but for its invalid bytes.
void mask_characters(std::string& text, Shape shape) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(shape, text, at);
    const bool is_ascii = static_cast<unsigned char>(text[at]) < 0x80;
    if (!is_ascii && !(shape == Shape::kUtf8 && length > 1)) {
      std::transform(text.begin() + static_cast<std::ptrdiff_t>(at),
                     text.begin() + static_cast<std::ptrdiff_t>(at + length),
                     text.begin() + static_cast<std::ptrdiff_t>(at), mask_letter);
    }
    at += length;
  }
}

bool is_utf16_or_32(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF") ||
         bytes.starts_with(std::string_view("\0\0\xFE\xFF", 4));
}

std::vector<std::uint32_t> find_line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  const char* const base = text.data();
  const char* const end = base + text.size();
  for (const char* at = base; at < end;) {
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    starts.push_back(static_cast<std::uint32_t>(++at - base));
  }
  return starts;
}

}  // namespace

Result<Source> Source::make(std::string path, std::string bytes) {
  const auto refuse = [&](std::string_view code, Args args = {}) {
    args.insert(args.begin(), {"path", path});
    return fail(code, {.file = path}, std::move(args));
  };
  if (is_utf16_or_32(bytes)) return refuse("E061");
  if (const auto nul = bytes.find('\0'); nul != std::string::npos) {
    return refuse("E060", {{"byte", with_thousands(nul)}});
  }
  Source source;
  source.has_bom_ = bytes.starts_with(kUtf8Bom);
  Encoding encoding;
  const std::string_view declared =
      declared_encoding(std::string_view(bytes).substr(source.has_bom_ ? kUtf8Bom.size() : 0));
  const bool is_valid = first_invalid_utf8(bytes) == std::string_view::npos;
  if (!declared.empty() && !source.has_bom_) {
    const auto known = find_encoding(declared);
    if (!known) return refuse("E062", {{"encoding", to_valid_utf8(declared)}});
    encoding = *known;
  }
  // A declared utf-8 that the bytes disprove is a wrong declaration, and common: guess instead.
  if (encoding.shape == Shape::kUtf8 && !is_valid && !source.has_bom_)
    encoding = guess_encoding(bytes);
  const bool has_returns = has_lone_return(bytes);
  if (encoding.shape != Shape::kUtf8 || !is_valid || has_returns) {
    source.masked_ = bytes;
    if (encoding.shape != Shape::kUtf8 || !is_valid)
      mask_characters(source.masked_, encoding.shape);
    if (has_returns) mask_lone_returns(source.masked_);
  }
  source.encoding_ = std::move(encoding);
  source.path_ = std::move(path);
  source.bytes_ = std::move(bytes);
  source.line_starts_ = find_line_starts(source.text());
  source.mark_long_lines();
  return source;
}

void Source::mark_long_lines() {
  for (std::size_t i = 0; i < line_starts_.size(); ++i) {
    const std::size_t end = i + 1 < line_starts_.size() ? line_starts_[i + 1] : bytes_.size();
    if (end - line_starts_[i] <= kLongLine) continue;
    std::size_t at = line_starts_[i] == 0 && has_bom_ ? kUtf8Bom.size() : line_starts_[i];
    std::size_t next = at + kLongLine;
    for (std::uint32_t column = 1; at < end; ++column) {
      if (at >= next) {
        marks_.push_back({static_cast<std::uint32_t>(at), column});
        next = at + kLongLine;
      }
      at += character_length(encoding_.shape, bytes_, at);
    }
  }
}

Place Source::place(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(bytes_.size()));
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  std::uint32_t column = 1;
  std::size_t at = line_starts_[line - 1];
  if (at == 0 && has_bom_) at = kUtf8Bom.size();
  const auto mark =
      std::upper_bound(marks_.begin(), marks_.end(), offset,
                       [](std::uint32_t byte, const Mark& each) { return byte < each.byte; });
  if (mark != marks_.begin() && std::prev(mark)->byte > at) {
    at = std::prev(mark)->byte;
    column = std::prev(mark)->column;
  }
  for (; at < offset; at += character_length(encoding_.shape, bytes_, at)) ++column;
  return {.file = path_, .line = line, .column = column, .byte = offset};
}

std::string Source::line(std::uint32_t number, std::size_t most) const {
  if (number == 0 || number > line_starts_.size()) return {};
  std::size_t begin = line_starts_[number - 1];
  const std::size_t end = number < line_starts_.size() ? line_starts_[number] : bytes_.size();
  if (begin == 0 && has_bom_) begin = kUtf8Bom.size();
  std::string_view text = std::string_view(bytes_).substr(begin, std::min(end - begin, most));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return to_utf8(text, encoding_);
}

std::uint32_t Source::line_count() const {
  const bool ends_empty = line_starts_.back() == bytes_.size() && line_starts_.size() > 1;
  return static_cast<std::uint32_t>(line_starts_.size() - (ends_empty ? 1 : 0));
}

std::string_view Source::newline() const {
  std::size_t pairs = 0;
  for (const std::uint32_t start : line_starts_) {
    if (start >= 2 && bytes_[start - 2] == '\r') ++pairs;
  }
  return pairs * 2 > line_starts_.size() - 1 ? "\r\n" : "\n";
}

}  // namespace godwit::syntax
