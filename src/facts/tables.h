// Tables of facts: each read once per process, when first asked for, with its key columns indexed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/table.h"

namespace godwit::facts {

/// A table of data/ ("api/aten.tsv"), loaded on first use and kept; safe from several threads.
/// `keys` are the columns that callers pass to Table::find; name all of them on every call.
/// Errors: E008 no such table, E010 and E011 malformed (an override), E027 a column is missing.
Result<const Table*> table(std::string_view name, std::initializer_list<std::string_view> keys);

/// The same from the overlay; null when the overlay lacks the table.
Result<const Table*> overlay_table(std::string_view name,
                                   std::initializer_list<std::string_view> keys);

/// True when data/ has the table ("ops/kernels/ascend910_55.tsv").
bool has_table(std::string_view name);

/// Cell by names, for code that reads a few cells only.
std::string_view cell(const Table& table, std::size_t row, std::string_view column);

/// A text that people read: `column`_zh where Chinese is the language of this process.
std::string_view cell_to_read(const Table& table, std::size_t row, std::string_view column);

/// The pieces of an `a|b|c` cell, the empty ones left out.
std::vector<std::string> list_of(std::string_view cell);

/// Forgets all tables: for tests that change the overlay.
void forget_tables();

}  // namespace godwit::facts
