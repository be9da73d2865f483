// A star at one end of a pattern stands for any text.
#include "scan/api_pattern.h"

namespace godwit::scan {

bool fits(std::string_view name, std::string_view pattern) {
  if (pattern.starts_with("*.")) return name.ends_with(pattern.substr(1));
  if (!pattern.ends_with('*')) return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace godwit::scan
