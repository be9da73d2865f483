// Tables: tab-separated rows with a header line, read in place and looked up by key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit {

/// One table of `data/`: cells are views into the text, nothing is copied per cell.
/// Leading lines that start with '#' are comments; the first other line names the columns.
class Table {
 public:
  /// Errors: E010 no header, E011 a row with another number of cells (file and line are given).
  static Result<Table> parse(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::size_t rows() const { return columns_.empty() ? 0 : cells_.size() / columns_.size(); }
  std::span<const std::string_view> columns() const { return columns_; }
  /// Index of a column; a column that is not there is a bug of ours and aborts.
  std::size_t column(std::string_view name) const;
  bool has_column(std::string_view name) const;
  std::string_view at(std::size_t row, std::size_t column) const {
    return cells_[row * columns_.size() + column];
  }

  /// Rows whose cell in `column` equals `key`, in file order. The order of a column is found on its
  /// first use (free when the file is sorted by it); not safe to call for the first time from
  /// several threads.
  std::span<const std::uint32_t> find(std::size_t column, std::string_view key) const;

 private:
  using Order = std::vector<std::uint32_t>;  // rows, sorted by the cells of one column
  std::string name_;
  std::unique_ptr<std::string> text_;  // stays where it is when the table is moved
  std::vector<std::string_view> columns_;
  std::vector<std::string_view> cells_;
  mutable std::vector<Order> orders_;
};

}  // namespace godwit
