// Globs as in .gitignore: "build/", "*.min.py", "third_party/**", "/setup.py".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace godwit::project {

class Globs {
 public:
  explicit Globs(const std::vector<std::string>& patterns);

  /// `path` is relative to the root, '/' between parts. The last pattern that fits decides; one
  /// that starts with '!' takes back.
  bool matches(std::string_view path, bool is_folder) const;

 private:
  struct Pattern {
    std::string text;
    bool is_negated = false;
    bool only_folders = false;
    bool is_anchored = false;  // has a '/' before its end: fits from the root only
  };
  std::vector<Pattern> patterns_;
};

}  // namespace godwit::project
