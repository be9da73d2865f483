// One pass over the JSON that remembers where each byte of the code came from.
#include "project/notebook.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace godwit::project {
namespace {

struct Text {
  std::string text{};
  std::vector<Piece> pieces{};
};

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

class Scanner {
 public:
  explicit Scanner(std::string_view json) : json_(json) {}

  /// The reason why it is no notebook; empty when it is one.
  std::string run(Notebook& out) {
    at_ = json_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    skip_blanks();
    if (at_ >= json_.size() || json_[at_] != '{') return "not a JSON object";
    while (at_ < json_.size()) {
      if (!token(out))
        return format("the JSON breaks off or is wrong at byte {}", with_thousands(at_));
      if (open_.empty()) break;
      skip_blanks();
    }
    if (!open_.empty())
      return format("the JSON breaks off at byte {}", with_thousands(json_.size()));
    return has_cells_ ? std::string() : "no list \"cells\"";
  }

 private:
  struct Container {
    bool is_object = false;
    std::string key{};         // the member being read
    bool expects_key = false;  // of an object
    bool is_cell = false;
    bool is_source = false;  // the list of lines of a cell
  };

  void skip_blanks() {
    while (at_ < json_.size() && std::isspace(static_cast<unsigned char>(json_[at_])) != 0) ++at_;
  }

  bool token(Notebook& out) {
    const char c = json_[at_];
    switch (c) {
      case '{':
      case '[': open(c == '{'); return true;
      case '}':
      case ']': return close(c == '}', out);
      case ',':
        if (!open_.empty()) open_.back().expects_key = open_.back().is_object;
        ++at_;
        return true;
      case ':': ++at_; return true;
      case '"': return string();
      default: break;
    }
    const std::size_t end = json_.find_first_of(",]} \t\r\n", at_);
    if (end == std::string_view::npos || end == at_) return false;
    at_ = end;
    return true;
  }

  void open(bool is_object) {
    Container next{.is_object = is_object, .expects_key = is_object};
    if (!open_.empty()) {
      const Container& outer = open_.back();
      next.is_cell = is_object && !outer.is_object && outer.key == "cells";
      next.is_source = !is_object && outer.is_cell && is_source_key(outer.key);
      if (!is_object)
        next.key = outer.is_object ? outer.key : std::string();  // named by its member
      has_cells_ = has_cells_ || (!is_object && outer.is_object && outer.key == "cells");
    }
    if (next.is_cell) {
      source_ = {};
      is_code_ = false;
    }
    open_.push_back(std::move(next));
    ++at_;
  }

  bool close(bool is_object, Notebook& out) {
    if (open_.empty() || open_.back().is_object != is_object) return false;
    if (open_.back().is_cell) add_cell(out);
    open_.pop_back();
    ++at_;
    return true;
  }

  static bool is_source_key(std::string_view key) { return key == "source" || key == "input"; }

  bool string() {
    if (open_.empty()) return false;
    Container& outer = open_.back();
    const bool is_source =
        outer.is_source || (outer.is_cell && !outer.expects_key && is_source_key(outer.key));
    Text text;
    if (!read_string(is_source ? source_ : text)) return false;
    if (outer.expects_key) {
      outer.key = std::move(text.text);
      outer.expects_key = false;
    } else if (outer.is_cell && outer.key == "cell_type") {
      is_code_ = text.text == "code";
    }
    return true;
  }

  bool read_string(Text& out) {
    for (++at_; at_ < json_.size();) {
      const std::size_t end = json_.find_first_of("\"\\", at_);
      if (end == std::string_view::npos) return false;
      if (end > at_) add_piece(out, json_.substr(at_, end - at_), end - at_);
      at_ = end;
      if (json_[at_] == '"') {
        ++at_;
        return true;
      }
      if (!escape(out)) return false;
    }
    return false;
  }

  void add_piece(Text& out, std::string_view text, std::size_t json_bytes) {
    out.pieces.push_back({static_cast<std::uint32_t>(out.text.size()),
                          static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(text.size()),
                          static_cast<std::uint32_t>(json_bytes)});
    out.text += text;
  }

  bool escape(Text& out) {
    if (at_ + 1 >= json_.size()) return false;
    constexpr std::string_view kSigns = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t sign = kSigns.find(json_[at_ + 1]); sign != std::string_view::npos) {
      add_piece(out, kMeanings.substr(sign, 1), 2);
      at_ += 2;
      return true;
    }
    std::uint32_t code = 0;
    std::size_t bytes = 6;
    if (json_[at_ + 1] != 'u' || !read_hex(at_ + 2, code)) return false;
    std::uint32_t low = 0;
    const bool is_high = code >= 0xD800 && code < 0xDC00;
    if (is_high && json_.substr(at_ + 6).starts_with("\\u") && read_hex(at_ + 8, low) &&
        low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      bytes = 12;
    }
    if (code == 0 || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
    std::string text;
    append_utf8(text, code);
    add_piece(out, text, bytes);
    at_ += bytes;
    return true;
  }

  bool read_hex(std::size_t at, std::uint32_t& code) const {
    if (at + 4 > json_.size()) return false;
    code = 0;
    for (const char c : json_.substr(at, 4)) {
      if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return false;
      const bool is_digit = c >= '0' && c <= '9';
      code = code * 16 + static_cast<std::uint32_t>(is_digit ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return true;
  }

  void add_cell(Notebook& out) {
    const std::uint32_t number = cells_seen_++;
    if (!is_code_ || source_.text.empty()) return;
    const auto begin = static_cast<std::uint32_t>(out.text.size());
    for (Piece piece : source_.pieces) {
      piece.text += begin;
      out.pieces.push_back(piece);
    }
    out.text += source_.text;
    out.cells.push_back({number, begin, static_cast<std::uint32_t>(out.text.size())});
    if (out.text.back() != '\n') out.text += '\n';
  }

  std::string_view json_;
  std::size_t at_ = 0;
  std::vector<Container> open_;
  Text source_;
  bool is_code_ = false;
  bool has_cells_ = false;
  std::uint32_t cells_seen_ = 0;
};

// --- what IPython adds to Python

bool runs_python(std::string_view magic) {
  for (const std::string_view name : {"%%time", "%%timeit", "%%capture", "%%prun"}) {
    if (magic.starts_with(name)) return true;
  }
  return false;
}

// Magics, shell lines and questions become comments; `x = !ls` keeps the name it binds.
void mask_line(std::string& text, std::size_t begin, std::size_t end, bool is_foreign) {
  const std::size_t first = text.find_first_not_of(" \t", begin);
  if (first == std::string::npos || first >= end) return;
  const bool is_magic = text[first] == '%' || text[first] == '!' || text[first] == '?';
  if (is_foreign || is_magic || text[end - 1] == '?') {
    text[first] = '#';
    return;
  }
  const std::size_t sign = text.find("= ", first);
  if (sign == std::string::npos || sign + 3 >= end) return;
  const bool is_shell =
      text[sign + 2] == '!' ||
      (text[sign + 2] == '%' && std::isalpha(static_cast<unsigned char>(text[sign + 3])) != 0);
  if (!is_shell) return;
  text[sign + 2] = '0';
  text[sign + 3] = '#';
}

void mask_magics(Notebook& notebook) {
  std::string& text = notebook.text;
  for (const Cell& cell : notebook.cells) {
    const std::size_t first = text.find_first_not_of(" \t\r\n", cell.begin);
    const std::string_view start =
        std::string_view(text).substr(std::min<std::size_t>(first, cell.end));
    const bool is_foreign = start.starts_with("%%") && !runs_python(start);
    for (std::size_t line = cell.begin; line < cell.end;) {
      const std::size_t end = std::min<std::size_t>(text.find('\n', line), cell.end);
      if (end > line) mask_line(text, line, end, is_foreign);
      line = end + 1;
    }
  }
}

}  // namespace

const Cell* Notebook::cell(std::uint32_t offset) const {
  const auto after =
      std::upper_bound(cells.begin(), cells.end(), offset,
                       [](std::uint32_t value, const Cell& cell) { return value < cell.begin; });
  return after == cells.begin() ? nullptr : &*(after - 1);
}

std::int64_t Notebook::json_offset(std::uint32_t offset) const {
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), offset,
                       [](std::uint32_t value, const Piece& piece) { return value < piece.text; });
  if (after == pieces.begin()) return -1;
  const Piece& piece = *(after - 1);
  const std::uint32_t into = offset - piece.text;
  if (into >= piece.text_bytes) return -1;
  // An escape is one thing; plain text is the same in both.
  return piece.json + (piece.text_bytes == piece.json_bytes ? into : 0);
}

Result<Notebook> read_notebook(std::string_view path, std::string_view json) {
  Notebook notebook;
  const std::string reason = Scanner(json).run(notebook);
  if (!reason.empty()) {
    return fail("E071", {.file = std::string(path)},
                {{"path", std::string(path)}, {"reason", reason}});
  }
  mask_magics(notebook);
  return notebook;
}

}  // namespace godwit::project
