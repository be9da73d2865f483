// Html: pieces of a page. Plain text cannot become markup without being escaped: the types differ.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/markup.h"

namespace godwit::report {

/// Markup that may stand in a page as it is.
struct Html {
  std::string code{};
  Html& operator+=(const Html& more) {
    code += more.code;
    return *this;
  }
};

inline Html operator+(Html left, const Html& right) { return left += right; }

/// Text from anywhere, escaped.
inline Html say(std::string_view text) { return {escape_markup(text)}; }

using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// `<name attributes>content</name>`; values are escaped, an empty value leaves the attribute out.
Html tag(std::string_view name, Attributes attributes, const Html& content);
inline Html tag(std::string_view name, const Html& content) { return tag(name, {}, content); }
/// `<div class="name">`.
inline Html box(std::string_view css_class, const Html& content) {
  return tag("div", {{"class", css_class}}, content);
}
inline Html span(std::string_view css_class, const Html& content) {
  return tag("span", {{"class", css_class}}, content);
}

}  // namespace godwit::report
