// Reading of tab-separated tables.
#include "base/table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "base/text.h"

namespace godwit {

Result<Table> Table::parse(std::string name, std::string text) {
  Table table;
  table.name_ = std::move(name);
  table.text_ = std::make_unique<std::string>(std::move(text));
  std::string_view rest = *table.text_;
  const auto lines = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n'));
  for (std::uint32_t line_number = 1; !rest.empty(); ++line_number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool in_header = table.columns_.empty();
    if (line.empty() || (in_header && line.starts_with('#'))) continue;
    const std::size_t before = table.cells_.size();
    std::vector<std::string_view>& target = in_header ? table.columns_ : table.cells_;
    for (std::size_t begin = 0;;) {
      const std::size_t tab = line.find('\t', begin);
      target.push_back(line.substr(begin, tab - begin));
      if (tab == std::string_view::npos) break;
      begin = tab + 1;
    }
    if (in_header) table.cells_.reserve(lines * target.size());
    const std::size_t cells = table.cells_.size() - before;
    if (!in_header && cells != table.columns_.size()) {
      return fail(
          "E011", {.file = table.name_, .line = line_number},
          {{"found", std::to_string(cells)}, {"expected", std::to_string(table.columns_.size())}});
    }
  }
  if (table.columns_.empty()) return fail("E010", {.file = table.name_}, {{"table", table.name_}});
  table.orders_.resize(table.columns_.size());
  return table;
}

bool Table::has_column(std::string_view name) const {
  return std::find(columns_.begin(), columns_.end(), name) != columns_.end();
}

std::size_t Table::column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) {
    std::fprintf(stderr, "bug: table %s has no column %.*s\n", name_.c_str(),
                 static_cast<int>(name.size()), name.data());
    std::abort();
  }
  return static_cast<std::size_t>(found - columns_.begin());
}

std::span<const std::uint32_t> Table::find(std::size_t column, std::string_view key) const {
  Order& order = orders_[column];
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return at(a, column) < at(b, column); };
  if (order.empty()) {
    order.resize(rows());
    std::iota(order.begin(), order.end(), 0U);
    if (!std::is_sorted(order.begin(), order.end(), less)) {
      std::stable_sort(order.begin(), order.end(), less);
    }
  }
  const auto first =
      std::lower_bound(order.begin(), order.end(), key,
                       [&](std::uint32_t row, std::string_view k) { return at(row, column) < k; });
  const auto last =
      std::upper_bound(first, order.end(), key,
                       [&](std::string_view k, std::uint32_t row) { return k < at(row, column); });
  return {first, last};
}

}  // namespace godwit
