// Walking over JSON text by brackets and quotes.
#include "scan/json_slices.h"

namespace godwit::scan {

void JsonSlices::skip_blanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
    ++at_;
}

bool JsonSlices::at_end() {
  skip_blanks();
  return at_ >= text_.size();
}

void JsonSlices::skip_string() {
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\\') {
      ++at_;
    } else if (text_[at_] == '"') {
      ++at_;
      return;
    }
  }
  failed_ = true;
  at_ = text_.size();
}

bool JsonSlices::take(char sign) {
  skip_blanks();
  if (at_ >= text_.size() || text_[at_] != sign) return false;
  ++at_;
  return true;
}

std::string_view JsonSlices::value() {
  skip_blanks();
  const std::size_t begin = at_;
  std::size_t depth = 0;
  while (at_ < text_.size() && !failed_) {
    const char c = text_[at_];
    if (c == '"') {
      skip_string();
    } else if (c == '{' || c == '[') {
      ++depth, ++at_;
    } else if (c == '}' || c == ']') {
      if (depth == 0) break;
      --depth, ++at_;
    } else if (depth == 0 &&
               (c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ':')) {
      break;
    } else {
      ++at_;
      continue;
    }
    if (depth == 0) break;  // a string or a bracket that opened the value has closed
  }
  if (depth != 0 || at_ == begin) failed_ = true;
  return text_.substr(begin, at_ - begin);
}

std::string_view JsonSlices::key() {
  skip_blanks();
  if (at_ >= text_.size() || text_[at_] != '"') {
    failed_ = true;
    return {};
  }
  const std::size_t begin = at_ + 1;
  skip_string();
  if (failed_) return {};
  const std::string_view name = text_.substr(begin, at_ - begin - 1);
  if (!take(':')) failed_ = true;
  return name;
}

}  // namespace godwit::scan
