// Source: the bytes of one text file, and the same text as a parser may read it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "syntax/encoding.h"

namespace godwit::syntax {

/// A file's text in two forms of equal length. `bytes()` is the file as it stands: edits refer to
/// it and everything outside them stays as it is. `text()` is valid UTF-8 in which each character
/// of another encoding is masked by letters of the same byte length, so that every offset means
/// the same place in both, and a GBK byte that looks like a backslash cannot end a string.
class Source {
 public:
  /// Reads the encoding from a BOM or a PEP 263 comment; bytes that do not fit are masked.
  /// Errors: E060 NUL bytes (a binary file), E061 UTF-16 or UTF-32, E062 an unknown encoding name.
  static Result<Source> make(std::string path, std::string bytes);

  const std::string& path() const { return path_; }
  std::string_view bytes() const { return bytes_; }
  std::string_view text() const { return masked_.empty() ? std::string_view(bytes_) : masked_; }
  std::string_view encoding() const { return encoding_.name; }  // "utf-8", "gbk" …
  bool has_bom() const { return has_bom_; }

  /// File, line and column (both from 1; the column counts characters) of a byte offset.
  Place place(std::uint32_t offset) const;
  /// The line (from 1) without its end, in UTF-8 for a person to read.
  std::string line(std::uint32_t number) const { return line(number, std::string::npos); }
  /// At most the first `most` bytes of it: a line may be as long as the file.
  std::string line(std::uint32_t number, std::size_t most) const;
  std::uint32_t line_count() const;
  /// The end-of-line sign the file uses most: "\n" or "\r\n".
  std::string_view newline() const;

 private:
  void mark_long_lines();

  std::string path_, bytes_, masked_;
  Encoding encoding_;
  bool has_bom_ = false;
  struct Mark {
    std::uint32_t byte = 0, column = 1;
  };
  std::vector<std::uint32_t> line_starts_;
  std::vector<Mark> marks_;  // inside long lines, so that no column is counted from far away
};

}  // namespace godwit::syntax
