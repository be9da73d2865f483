// Splitting text files into words.
#include "scan/words.h"

#include <array>

namespace godwit::scan {
namespace {

using project::FileKind;

constexpr std::array<bool, 256> make_word_table() {
  std::array<bool, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    table[c] = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '_' || c == '.' || c == '-';
  }
  return table;
}

constexpr std::array<bool, 256> kIsWord = make_word_table();

bool is_word(char c) { return kIsWord[static_cast<unsigned char>(c)]; }

bool has_hash_comments(FileKind kind) { return kind != FileKind::kJson; }

// A '#' at the start or behind a blank opens a comment; inside `${x#y}` or `a#b` it does not.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

std::string_view strip(std::string_view word, std::size_t& begin) {
  while (!word.empty() && (word.front() == '-' || word.front() == '.'))
    word.remove_prefix(1), ++begin;
  while (!word.empty() && (word.back() == '-' || word.back() == '.')) word.remove_suffix(1);
  return word;
}

void visit_line(std::string_view line, std::string_view code, std::uint32_t number,
                const std::function<void(const WordPlace&)>& visit) {
  for (std::size_t at = 0; at < code.size();) {
    if (!is_word(code[at])) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    while (at < code.size() && is_word(code[at])) ++at;
    const std::string_view word = strip(code.substr(begin, at - begin), begin);
    if (!word.empty()) visit({word, line, number, static_cast<std::uint32_t>(begin + 1)});
  }
}

}  // namespace

bool has_words(FileKind kind) {
  switch (kind) {
    case FileKind::kShell:
    case FileKind::kYaml:
    case FileKind::kJson:
    case FileKind::kToml:
    case FileKind::kRequirements:
    case FileKind::kDockerfile:
    case FileKind::kMakefile: return true;
    default: return false;
  }
}

void for_each_word(std::string_view text, FileKind kind,
                   const std::function<void(const WordPlace&)>& visit) {
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit_line(line, has_hash_comments(kind) ? without_comment(line) : line, ++number, visit);
  }
}

}  // namespace godwit::scan
