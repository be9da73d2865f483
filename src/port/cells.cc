// Finds the JSON bytes behind a range of the text and writes new text as JSON has it.
#include "port/cells.h"

#include <algorithm>
#include <string>

namespace godwit::port {
namespace {

using project::Notebook;
using project::Piece;

std::string escaped(std::string_view text) {
  std::string json;
  for (const char c : text) {
    switch (c) {
      case '"': json += "\\\""; break;
      case '\\': json += "\\\\"; break;
      case '\n': json += "\\n"; break;
      case '\r': json += "\\r"; break;
      case '\t': json += "\\t"; break;
      default: json += c; break;
    }
  }
  return json;
}

// The last piece that begins at or before the offset, or null.
const Piece* piece_at(const Notebook& notebook, std::uint32_t offset) {
  const auto after =
      std::upper_bound(notebook.pieces.begin(), notebook.pieces.end(), offset,
                       [](std::uint32_t value, const Piece& piece) { return value < piece.text; });
  return after == notebook.pieces.begin() ? nullptr : &*(after - 1);
}

std::uint32_t json_end(const Piece& piece) { return piece.json + piece.json_bytes; }

// Where the JSON of the byte before `offset` ends.
std::optional<std::uint32_t> end_before(const Notebook& notebook, std::uint32_t offset) {
  if (offset == 0) return std::nullopt;
  const Piece* const piece = piece_at(notebook, offset - 1);
  if (!piece) return std::nullopt;
  const std::uint32_t into = offset - piece->text;
  const bool is_plain = piece->text_bytes == piece->json_bytes;
  return is_plain ? std::min(piece->json + into, json_end(*piece)) : json_end(*piece);
}

bool starts_cell(const Notebook& notebook, std::uint32_t offset) {
  const project::Cell* const cell = notebook.cell(offset);
  return cell && cell->begin == offset;
}

// A line behind the last of a cell: the joined text has a line end there that the file lacks.
std::optional<syntax::Edit> insert_behind_cell(const project::Module& module, syntax::Edit edit) {
  const Notebook& notebook = module.notebook();
  const auto last = std::find_if(notebook.cells.rbegin(), notebook.cells.rend(),
                                 [&](const auto& cell) { return cell.end <= edit.begin; });
  if (last == notebook.cells.rend()) return std::nullopt;
  const auto at = end_before(notebook, last->end);
  if (!at) return std::nullopt;
  const bool has_line_end = module.source().bytes()[last->end - 1] == '\n';
  std::string text = edit.text;
  if (!has_line_end && text.ends_with('\n')) text = "\n" + text.substr(0, text.size() - 1);
  edit.begin = edit.end = *at;
  edit.text = escaped(text);
  return edit;
}

}  // namespace

std::optional<syntax::Edit> edit_of_json(const project::Module& module, const syntax::Edit& edit) {
  const Notebook& notebook = module.notebook();
  const std::int64_t begin = notebook.json_offset(edit.begin);
  const bool is_insertion = edit.begin == edit.end;
  if (is_insertion && (begin < 0 || starts_cell(notebook, edit.begin)))
    return insert_behind_cell(module, edit);
  if (begin < 0) return std::nullopt;
  syntax::Edit made = edit;
  made.begin = made.end = static_cast<std::uint32_t>(begin);
  made.text = escaped(edit.text);
  if (is_insertion) return made;
  const auto end = end_before(notebook, edit.end);
  if (!end) return std::nullopt;
  std::uint32_t inside = 0;  // JSON bytes of the pieces in between; more lie there at a border
  for (const Piece* piece = piece_at(notebook, edit.begin);
       piece != notebook.pieces.data() + notebook.pieces.size() && piece->text < edit.end;
       ++piece) {
    const std::uint32_t from = std::max(piece->text, edit.begin);
    const std::uint32_t to = std::min(piece->text + piece->text_bytes, edit.end);
    const bool is_plain = piece->text_bytes == piece->json_bytes;
    inside += is_plain ? to - from : piece->json_bytes;
  }
  if (*end - made.begin != inside) return std::nullopt;
  made.end = *end;
  return made;
}

}  // namespace godwit::port
