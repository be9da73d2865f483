// Text: formatting, splitting, UTF-8 checks, display width of CJK text, nearest names.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace godwit {

/// fmt::format as an object: a function of that name would be ambiguous with std::format, which
/// argument-dependent lookup finds wherever the standard library has it.
struct Format {
  template <class... Args>
  std::string operator()(fmt::format_string<Args...> text, Args&&... args) const {
    return fmt::format(text, std::forward<Args>(args)...);
  }
};
inline const Format format{};

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
/// Like split, but leaves out empty pieces; for `a|b|c` cells.
std::vector<std::string_view> split_list(std::string_view cell, char separator = '|');
/// "c" of "a.b.c".
std::string_view last_part(std::string_view dotted);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string join(std::span<const std::string_view> parts, std::string_view separator);
std::string to_lower(std::string_view ascii);
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);
bool contains(std::string_view text, std::string_view part);
bool equals_ignoring_case(std::string_view a, std::string_view b);

/// Whole text as a number, or nothing. Decimal only; no blanks, no sign for `parse_unsigned`.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_number(std::string_view text);

/// Offset of the first byte that is not valid UTF-8, or npos. Surrogates and overlong forms are
/// not valid.
std::size_t first_invalid_utf8(std::string_view bytes);
/// Replaces each invalid byte by U+FFFD, so that any input can be shown or put into JSON.
std::string to_valid_utf8(std::string_view bytes);
/// Columns a terminal uses: 2 for wide East Asian characters, 0 for combining marks, 1 otherwise.
std::size_t display_width(std::string_view utf8);
/// Pads on the right with blanks to `width` columns; longer text is returned as it is.
std::string pad(std::string_view utf8, std::size_t width);
/// Breaks at blanks, and between wide characters, so that no line passes `width` columns.
std::vector<std::string> wrap(std::string_view utf8, std::size_t width);
/// Cuts to at most `width` columns, ending in "…" when something was cut.
std::string shorten(std::string_view utf8, std::size_t width);

/// Fills the `{name}` places of `pattern` from `args`; an unknown place stays as it is, so that a
/// missing argument is seen and never crashes. `{{` and `}}` are literal braces.
std::string fill(std::string_view pattern,
                 std::span<const std::pair<std::string, std::string>> args);

/// Up to `most` candidates that a misspelt `name` may have meant, nearest first (ignores case).
std::vector<std::string> nearest(std::string_view name, std::span<const std::string> candidates,
                                 std::size_t most = 3);

/// "1,234,567"
std::string with_thousands(std::uint64_t number);
/// "1.5 GiB"
std::string human_bytes(std::uint64_t bytes);

}  // namespace godwit
