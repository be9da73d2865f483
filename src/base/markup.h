// Markup: text made safe inside XML and HTML, whoever wrote it.
#pragma once

#include <string>
#include <string_view>

namespace godwit {

/// `text` for element content and for attributes in either kind of quotes. Characters that XML 1.0
/// forbids (most controls, U+FFFE, U+FFFF) and bytes that are not UTF-8 become U+FFFD.
std::string escape_markup(std::string_view text);

/// `text` for a terminal or a log: controls that would move the cursor, colour or hide what
/// follows become U+FFFD; blanks and newlines stay, a tab becomes a blank.
std::string printable(std::string_view text);

}  // namespace godwit
