// Elements of a page.
#include "report/html.h"

namespace godwit::report {

Html tag(std::string_view name, Attributes attributes, const Html& content) {
  Html out;
  out.code.append("<").append(name);
  for (const auto& [key, value] : attributes) {
    if (value.empty()) continue;
    out.code.append(" ").append(key).append("=\"").append(escape_markup(value)).append("\"");
  }
  out.code.append(">");
  if (name == "input") return out;  // has no end tag
  out.code.append(content.code).append("</").append(name).append(">");
  return out;
}

}  // namespace godwit::report
