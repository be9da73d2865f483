// Notebooks: the code cells of an .ipynb file as one Python text, with the way back into its JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit::project {

/// Text of one code cell: bytes [begin, end) of the joined text.
struct Cell {
  std::uint32_t number = 0;  // among all cells of the notebook, from 0
  std::uint32_t begin = 0, end = 0;
};

/// A stretch of the text that stands in the JSON as it is, or one escape of it.
struct Piece {
  std::uint32_t text = 0, json = 0;  // where it begins
  std::uint32_t text_bytes = 0, json_bytes = 0;
};

struct Notebook {
  std::string text{};  // cells joined by line ends; magics and shell lines are comments
  std::vector<Cell> cells{};
  std::vector<Piece> pieces{};  // in order

  /// The cell that an offset of the text lies in, or null.
  const Cell* cell(std::uint32_t offset) const;
  /// Where the byte at this offset of the text begins in the file; -1 when it is not from the file.
  std::int64_t json_offset(std::uint32_t offset) const;
};

/// Errors: E071 not JSON, or JSON that is no notebook.
Result<Notebook> read_notebook(std::string_view path, std::string_view json);

}  // namespace godwit::project
