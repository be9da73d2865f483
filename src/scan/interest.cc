// Look-ups of exact names, prefixes and last parts.
#include "scan/interest.h"

#include <algorithm>

namespace godwit::scan {

void Interest::add(std::string_view pattern, std::uint16_t rule) {
  if (pattern.starts_with("*.")) {
    methods_[pattern.substr(2)].push_back(rule);
    return;
  }
  if (!pattern.empty()) first_.set(static_cast<unsigned char>(pattern.front()));
  if (!pattern.ends_with('*')) {
    exact_[pattern].push_back(rule);
    return;
  }
  pattern.remove_suffix(1);
  prefixes_[pattern].push_back(rule);
  const auto at = std::lower_bound(prefix_lengths_.begin(), prefix_lengths_.end(), pattern.size());
  if (at == prefix_lengths_.end() || *at != pattern.size())
    prefix_lengths_.insert(at, pattern.size());
}

void Interest::collect(const Table& table, std::string_view key, Rules& into) {
  const auto found = table.find(key);
  if (found == table.end()) return;
  for (const std::uint16_t rule : found->second) {
    if (std::find(into.begin(), into.end(), rule) == into.end()) into.push_back(rule);
  }
}

void Interest::find(std::string_view name, std::vector<std::uint16_t>& rules) const {
  rules.clear();
  if (name.empty()) return;
  if (first_.test(static_cast<unsigned char>(name.front()))) {
    collect(exact_, name, rules);
    for (const std::size_t length : prefix_lengths_) {
      if (length > name.size()) break;
      collect(prefixes_, name.substr(0, length), rules);
    }
  }
  if (methods_.empty()) return;
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) collect(methods_, name.substr(dot + 1), rules);
}

}  // namespace godwit::scan
