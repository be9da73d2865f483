// Unified diff, written as git writes it.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "syntax/edit.h"
#include "syntax/line_diff.h"

namespace godwit::syntax {
namespace {

using Lines = TextLines;
using Change = LineChange;
constexpr std::size_t kContext = 3;

std::string range(std::size_t begin, std::size_t past) {
  const std::size_t count = past - begin;
  if (count == 1) return format("{}", begin + 1);
  return format("{},{}", count == 0 ? begin : begin + 1, count);
}

void write_lines(std::string& out, char sign, const Lines& lines, std::size_t begin,
                 std::size_t past) {
  for (std::size_t i = begin; i < past; ++i) {
    out += sign;
    out += lines[i];
    if (lines[i].back() != '\n') out += "\n\\ No newline at end of file\n";
  }
}

void write_hunk(std::string& out, std::span<const Change> changes, const Lines& before,
                const Lines& after) {
  const std::size_t lead = std::min(kContext, changes.front().before);
  const std::size_t trail = std::min(kContext, before.size() - changes.back().before_past);
  const std::size_t begin = changes.front().before - lead;
  out += format("@@ -{} +{} @@\n", range(begin, changes.back().before_past + trail),
                range(changes.front().after - lead, changes.back().after_past + trail));
  std::size_t at = begin;
  for (const Change& change : changes) {
    write_lines(out, ' ', before, at, change.before);
    write_lines(out, '-', before, change.before, change.before_past);
    write_lines(out, '+', after, change.after, change.after_past);
    at = change.before_past;
  }
  write_lines(out, ' ', before, at, at + trail);
}

// Quoted as git quotes: a path with a control character, a quote or a backslash.
std::string git_quoted(std::string_view path) {
  const bool is_plain = std::none_of(path.begin(), path.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || c == 0x7F;
  });
  if (is_plain) return std::string(path);
  std::string result = "\"";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      result += format("\\{:03o}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

// A name with a blank ends in a tab, or patch(1) would cut it.
std::string file_line(std::string_view sign, std::string_view prefix, std::string_view path) {
  if (path.empty()) return format("{} /dev/null\n", sign);
  const std::string name = git_quoted(format("{}{}", prefix, path));
  return format("{} {}{}\n", sign, name, contains(name, " ") && name.front() != '"' ? "\t" : "");
}

}  // namespace

std::string unified_diff(std::string_view before_path, std::string_view before,
                         std::string_view after_path, std::string_view after) {
  const bool is_new = before_path.empty();
  const bool is_gone = after_path.empty();
  const bool is_renamed = !is_new && !is_gone && before_path != after_path;
  if (before == after && !is_new && !is_gone && !is_renamed) return {};
  const std::string_view old_name = is_new ? after_path : before_path;
  const std::string_view new_name = is_gone ? before_path : after_path;
  std::string out = format("diff --git {} {}\n", git_quoted(format("a/{}", old_name)),
                           git_quoted(format("b/{}", new_name)));
  if (is_new) out += "new file mode 100644\n";
  if (is_gone) out += "deleted file mode 100644\n";
  if (is_renamed)
    out += format("rename from {}\nrename to {}\n", git_quoted(old_name), git_quoted(new_name));
  const Lines a = split_lines(before);
  const Lines b = split_lines(after);
  const std::vector<Change> changes = find_changes(a, b);
  if (changes.empty()) return out;
  out += file_line("---", "a/", before_path) + file_line("+++", "b/", after_path);
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t past = first + 1;
    while (past < changes.size() &&
           changes[past].before - changes[past - 1].before_past <= 2 * kContext) {
      ++past;
    }
    write_hunk(out, std::span(changes).subspan(first, past - first), a, b);
    first = past;
  }
  return out;
}

}  // namespace godwit::syntax
