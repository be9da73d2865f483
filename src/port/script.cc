// A small reader of shell-like text: just enough to tell code from comments and quoted text.
#include "port/script.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::port {
namespace {

using project::FileKind;

bool is_variable(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_word(char c) {
  return is_variable(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.' || c == '/';
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_shell_like(FileKind kind) { return kind != FileKind::kYaml; }
bool is_data(FileKind kind) {
  return kind == FileKind::kJson || kind == FileKind::kCuda || kind == FileKind::kCpp ||
         kind == FileKind::kToml || kind == FileKind::kRequirements;
}

// Of a code block in Markdown: what a reader types into a shell.
bool is_shell_block(std::string_view info) {
  info = info.substr(0, info.find_first_of(" {:"));
  for (const std::string_view known :
       {"", "bash", "sh", "shell", "console", "zsh", "Shell", "Bash"})
    if (info == known) return true;
  return false;
}

}  // namespace

Script::Script(const project::File& file, syntax::Source source)
    : file_(&file), source_(std::move(source)) {
  mark_silent();
  if (!is_data(file.kind)) find_variables();
}

// Marks a quoted text from its opening quote on; returns the offset behind it.
std::uint32_t Script::skip_quotes(std::uint32_t at, std::uint32_t past) {
  const std::string_view all = text().substr(0, past);
  const std::size_t close = all.find('\'', at + 1);
  const std::size_t end = close == std::string_view::npos ? all.size() : close + 1;
  for (std::size_t i = at; i < end; ++i) silent_[i] = true;
  return static_cast<std::uint32_t>(end);
}

// `<<EOF` makes the following lines up to EOF silent; returns the offset behind the operator.
std::uint32_t Script::skip_here_document(std::uint32_t at) {
  const std::string_view all = text();
  std::size_t begin = at + 2;
  while (begin < all.size() &&
         (all[begin] == '-' || all[begin] == '\'' || all[begin] == '"' || is_blank(all[begin])))
    ++begin;
  std::size_t end = begin;
  while (end < all.size() && (is_word(all[end]))) ++end;
  const std::string_view word = all.substr(begin, end - begin);
  std::size_t line = all.find('\n', end);
  if (word.empty() || line == std::string_view::npos) return at + 2;
  const std::size_t from = line;
  while (line != std::string_view::npos) {
    const std::size_t next = all.find('\n', line + 1);
    const std::string_view here =
        all.substr(line + 1, next == std::string_view::npos ? next : next - line - 1);
    line = next;
    if (trim(here) == word) break;
  }
  const std::size_t to = line == std::string_view::npos ? all.size() : line;
  for (std::size_t i = from; i < to; ++i) silent_[i] = true;
  return static_cast<std::uint32_t>(end);
}

void Script::mark_silent() {
  const std::string_view all = text();
  const bool is_markdown = file_->kind == FileKind::kMarkdown;
  silent_.assign(all.size() + 1, is_markdown);
  if (is_data(file_->kind)) return;
  if (is_markdown) return open_blocks();
  mark_silent(0, static_cast<std::uint32_t>(all.size()));
}

// Only what stands between fences is code, and only that of a shell is read.
void Script::open_blocks() {
  const std::string_view all = text();
  std::string_view fence;
  bool is_open = false;
  std::uint32_t begin = 0;
  for (std::uint32_t line = 0; line < all.size();) {
    const auto end = static_cast<std::uint32_t>(std::min(all.find('\n', line), all.size()));
    const std::string_view text_here = trim(all.substr(line, end - line));
    if (!fence.empty() && text_here == fence) {
      if (is_open) mark_silent(begin, line);
      fence = {};
    } else if (fence.empty() && text_here.starts_with("```")) {
      fence = text_here.substr(0, std::min(text_here.find_first_not_of('`'), text_here.size()));
      is_open = is_shell_block(trim(text_here.substr(fence.size())));
      begin = end + 1;
      if (is_open) {
        const std::size_t close = all.find(fence, begin);
        const std::size_t past = close == std::string_view::npos ? all.size() : close;
        for (std::size_t at = begin; at < past; ++at) silent_[at] = false;
      }
    }
    line = end + 1;
  }
}

void Script::mark_silent(std::uint32_t begin, std::uint32_t end) {
  const std::string_view all = text().substr(0, end);
  const bool shell = is_shell_like(file_->kind);
  bool in_double = false;
  for (std::uint32_t at = begin; at < all.size();) {
    const char c = all[at];
    const bool starts_word =
        at == 0 || is_blank(all[at - 1]) || all[at - 1] == '\n' || all[at - 1] == ';';
    if (silent_[at]) {
      ++at;
    } else if (shell && c == '\\') {
      at += 2;
    } else if (c == '"' && shell) {
      in_double = !in_double;
      ++at;
    } else if (c == '\'' && shell && !in_double) {
      at = skip_quotes(at, end);
    } else if (c == '#' && !in_double && starts_word) {
      while (at < all.size() && all[at] != '\n') silent_[at++] = true;
    } else if (shell && !in_double && all.substr(at).starts_with("<<") &&
               !all.substr(at).starts_with("<<<")) {
      at = skip_here_document(at);
    } else {
      ++at;
    }
  }
}

void Script::find_variables() {
  const std::string_view all = text();
  for (std::uint32_t at = 0; at < all.size();) {
    if (silent_[at] || !is_variable(all[at]) || (all[at] >= '0' && all[at] <= '9')) {
      ++at;
      continue;
    }
    std::uint32_t end = at;
    while (end < all.size() && is_variable(all[end])) ++end;
    const bool is_whole = (at == 0 || !is_word(all[at - 1]) || all[at - 1] == '-') &&
                          (end >= all.size() || !(all[end] >= 'a' && all[end] <= 'z'));
    if (is_whole && end - at >= 4) add_variable(at, end);
    at = end;
    while (at < all.size() && is_word(all[at])) ++at;
  }
}

// The value behind `NAME=` or `NAME:`, without quotes, up to a blank or the end of the line.
std::string_view Script::value_at(std::uint32_t offset) const {
  const std::string_view all = text();
  std::size_t at = offset;
  if (at < all.size() && (all[at] == '"' || all[at] == '\'')) {
    const std::size_t close = all.find(all[at], at + 1);
    return close == std::string_view::npos ? all.substr(at + 1)
                                           : all.substr(at + 1, close - at - 1);
  }
  while (at < all.size() && !is_blank(all[at]) && all[at] != '\n' && all[at] != '\r' &&
         all[at] != ';' && all[at] != '"' && all[at] != '&' && all[at] != ')') {
    ++at;
  }
  return all.substr(offset, at - offset);
}

void Script::add_variable(std::uint32_t begin, std::uint32_t end) {
  const std::string_view all = text();
  VariableSite site{.begin = begin, .end = end, .name = all.substr(begin, end - begin)};
  const char before = begin == 0 ? '\n' : all[begin - 1];
  const char after = end < all.size() ? all[end] : '\n';
  const std::string_view rest = all.substr(end);
  if (before == '$' || ((before == '{' || before == '(') && begin >= 2 && all[begin - 2] == '$')) {
    variables_.push_back(site);
    return;
  }
  const bool may_set =
      before == '\n' || is_blank(before) || before == ';' || before == '"' || before == '(';
  if (!may_set) return;
  const auto set = [&](std::size_t skip) {
    std::size_t at = end + skip;
    while (at < all.size() && is_blank(all[at]) && file_->kind != FileKind::kShell) ++at;
    site.role = VariableSite::Role::kSet;
    site.value = value_at(static_cast<std::uint32_t>(at));
    variables_.push_back(site);
  };
  if (file_->kind == FileKind::kYaml) {
    if (rest.starts_with(": ") || rest.starts_with("=")) set(1);
    return;
  }
  if (after == '=') return set(1);
  if (file_->kind == FileKind::kMakefile) {
    const std::string_view sign = trim(rest.substr(0, 4));
    for (const std::string_view known : {":=", "?=", "+=", "="}) {
      if (sign.starts_with(known)) return set(rest.find(known) + known.size());
    }
  }
  // A verb stands close by; a line of megabytes must not be read again for every name.
  const std::size_t near = begin > 32 ? begin - 32 : 0;
  std::string_view front = all.substr(near, begin - near);
  front = trim(front.substr(front.rfind('\n') + 1));
  if (file_->kind == FileKind::kDockerfile && front == "ENV") return set(0);
  // export NAME, unset NAME, mpirun -x NAME, docker -e NAME: only the name is passed on.
  for (const std::string_view verb : {"export", "unset", "-x", "-e", "--env"}) {
    if (front.ends_with(verb)) return variables_.push_back(site);
  }
}

std::vector<std::uint32_t> Script::find_words(std::string_view word) const {
  std::vector<std::uint32_t> all;
  for (std::size_t at = text().find(word); at != std::string_view::npos;
       at = text().find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool is_whole =
        (at == 0 || !is_word(text()[at - 1])) && (end >= text().size() || !is_word(text()[end]));
    if (is_whole && !silent_[at]) all.push_back(static_cast<std::uint32_t>(at));
  }
  return all;
}

std::string Script::line(std::uint32_t offset) const {
  return std::string(trim(source_.line(source_.place(offset).line)));
}

}  // namespace godwit::port
