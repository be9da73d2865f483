// Memory of one parse: tree-sitter asks for thousands of small blocks and gives all of them back,
// so they come from one region that is warm from the file before and is dropped as a whole.
#pragma once

#include <cstddef>

namespace godwit::syntax {

/// Makes tree-sitter ask here. Outside of a ParseMemory its blocks come from malloc, as before.
void install_parse_memory();

/// While it lives, blocks of tree-sitter on this thread lie in the thread's region; all end with
/// it. One at a time per thread.
class ParseMemory {
 public:
  ParseMemory();
  ParseMemory(const ParseMemory&) = delete;
  ParseMemory& operator=(const ParseMemory&) = delete;
  ~ParseMemory();

  /// False when the region could not be had, or was too small: what lies outside wants to be freed.
  bool holds_all() const;
};

}  // namespace godwit::syntax
