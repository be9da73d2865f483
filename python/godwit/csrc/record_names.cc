// The table of names: a text is stored once and never goes away, because the writer reads it later.
#include "record_names.h"

#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace godwit::record {
namespace {

struct Names {
  std::mutex mutex;
  std::deque<std::string> texts;  // a deque: what is handed out does not move
  std::unordered_map<std::string, std::int32_t> numbers;
};

Names& names() {
  static Names* const all = new Names;  // outlives the writer thread at exit
  return *all;
}

}  // namespace

std::int32_t name_number(const std::string& text) {
  Names& all = names();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto [at, is_new] = all.numbers.emplace(text, static_cast<std::int32_t>(all.texts.size()));
  if (is_new) all.texts.push_back(text);
  return at->second;
}

std::int32_t label_number(int index) {
  static const std::vector<std::int32_t> kFirst = [] {
    std::vector<std::int32_t> numbers;
    for (int i = 0; i < 16; ++i) numbers.push_back(name_number(std::to_string(i)));
    return numbers;
  }();
  const auto at = static_cast<std::size_t>(index);
  return at < kFirst.size() ? kFirst[at] : name_number(std::to_string(index));
}

const std::string& name_text(std::int32_t number) {
  static const std::string kNone;
  Names& all = names();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (number < 0 || static_cast<std::size_t>(number) >= all.texts.size()) return kNone;
  return all.texts[static_cast<std::size_t>(number)];
}

}  // namespace godwit::record
