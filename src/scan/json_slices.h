// Slices of JSON text: where its members and items begin and end, without building values.
#pragma once

#include <string_view>
#include <utility>

namespace godwit::scan {

/// Walks over JSON text. Nothing recurses and nothing is allocated; text that is not JSON ends the
/// walk with failed() and the byte where it went wrong.
class JsonSlices {
 public:
  explicit JsonSlices(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  bool failed() const { return failed_; }
  bool at_end();  // only blanks are left
  /// The next whole value: object, array, string, number or word.
  std::string_view value();
  /// Takes this sign when it is next.
  bool take(char sign);
  /// `"key":` of the next member; the key without quotes, escapes as they stand.
  std::string_view key();
  void fail() { failed_ = true; }

 private:
  void skip_blanks();
  void skip_string();

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace godwit::scan
