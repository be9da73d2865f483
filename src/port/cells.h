// Cells: edits of a notebook's code taken back into its JSON, so that outputs, metadata and layout
// of the file stay as they are.
#pragma once

#include <optional>

#include "project/module.h"
#include "syntax/edit.h"

namespace godwit::port {

/// The edit of the joined cells as an edit of the file; nothing when it crosses the border of two
/// JSON strings. A line added behind the last one of a cell becomes part of that cell.
std::optional<syntax::Edit> edit_of_json(const project::Module& module, const syntax::Edit& edit);

}  // namespace godwit::port
