// Script: a file that is no Python (shell, Dockerfile, Makefile, YAML, Markdown) as lines,
// words and variables. Of Markdown only the code blocks of a shell count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "project/files.h"
#include "syntax/source.h"

namespace godwit::port {

/// A name in capitals outside comments, single quotes and here-documents, with what is done to it.
struct VariableSite {
  enum class Role : std::uint8_t { kSet, kRead };
  Role role = Role::kRead;
  std::uint32_t begin = 0, end = 0;  // the name
  std::string_view name{};
  std::string_view value{};  // of kSet: as written, without quotes
};

class Script {
 public:
  Script(const project::File& file, syntax::Source source);

  const project::File& file() const { return *file_; }
  const syntax::Source& source() const { return source_; }
  std::string_view text() const { return source_.text(); }
  const std::vector<VariableSite>& variables() const { return variables_; }
  /// True for bytes of comments, single-quoted text and here-documents.
  bool is_silent(std::uint32_t offset) const { return silent_[offset]; }
  /// Offsets where `word` stands as a whole word in code.
  std::vector<std::uint32_t> find_words(std::string_view word) const;
  Place place(std::uint32_t offset) const { return source_.place(offset); }
  std::string line(std::uint32_t offset) const;

 private:
  void mark_silent();
  void mark_silent(std::uint32_t begin, std::uint32_t end);
  void open_blocks();
  std::uint32_t skip_quotes(std::uint32_t at, std::uint32_t past);
  std::uint32_t skip_here_document(std::uint32_t at);
  void find_variables();
  void add_variable(std::uint32_t begin, std::uint32_t end);
  std::string_view value_at(std::uint32_t offset) const;

  const project::File* file_;
  syntax::Source source_;
  std::vector<bool> silent_;
  std::vector<VariableSite> variables_;
};

}  // namespace godwit::port
