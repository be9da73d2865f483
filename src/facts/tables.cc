// Keeps loaded tables and builds their indexes under one lock, so that lookups need none.
#include "facts/tables.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "base/resources.h"
#include "base/text.h"
#include "diag/messages.h"
#include "facts/eager_paths.h"
#include "facts/overlay.h"

namespace godwit::facts {
namespace {

using Keys = std::initializer_list<std::string_view>;

struct Store {
  std::mutex lock;
  std::map<std::string, std::unique_ptr<const Table>, std::less<>> tables;
  std::vector<std::unique_ptr<const Table>> retired;
  std::set<std::string, std::less<>> names;  // of all members, read on first use
};

Store& store() {
  static Store value;
  return value;
}

Result<std::unique_ptr<const Table>> read(std::string name, std::string text, Keys keys) {
  ASSIGN(Table parsed, Table::parse(std::move(name), std::move(text)));
  auto table = std::make_unique<const Table>(std::move(parsed));
  for (const std::string_view key : keys) {
    if (!table->has_column(key)) {
      return fail("E027", {.file = table->name()},
                  {{"table", table->name()}, {"column", std::string(key)}});
    }
    table->find(table->column(key), {});  // builds the index now, while nobody else looks
  }
  return table;
}

Result<std::optional<std::string>> text_of(std::string_view name, bool overlay) {
  if (overlay) return overlay_member(name);
  ASSIGN(std::string text, resource(name));
  return std::optional<std::string>(std::move(text));
}

Result<const Table*> load(std::string_view name, Keys keys, bool overlay) {
  const std::string id = (overlay ? "overlay/" : "") + std::string(name);
  const std::lock_guard guard(store().lock);
  const auto known = store().tables.find(id);
  if (known != store().tables.end()) return known->second.get();
  ASSIGN(std::optional<std::string> text, text_of(name, overlay));
  std::unique_ptr<const Table> made;
  if (text) {
    ASSIGN(made, read(id, *std::move(text), keys));
  }
  return (store().tables[id] = std::move(made)).get();
}

}  // namespace

Result<const Table*> table(std::string_view name, Keys keys) { return load(name, keys, false); }

Result<const Table*> overlay_table(std::string_view name, Keys keys) {
  return load(name, keys, true);
}

bool has_table(std::string_view name) {
  const std::lock_guard guard(store().lock);
  if (store().names.empty()) {
    for (std::string& member : resource_names("")) store().names.insert(std::move(member));
  }
  return store().names.contains(name);
}

std::string_view cell(const Table& table, std::size_t row, std::string_view column) {
  return table.at(row, table.column(column));
}

std::string_view cell_to_read(const Table& table, std::size_t row, std::string_view column) {
  const std::string chinese = std::string(column) + "_zh";
  const bool wanted = diag::language() == diag::Language::kChinese && table.has_column(chinese);
  return cell(table, row, wanted ? std::string_view(chinese) : column);
}

std::vector<std::string> list_of(std::string_view cell) {
  const auto parts = split_list(cell);
  return {parts.begin(), parts.end()};
}

void forget_tables() {
  forget_verdicts();
  const std::lock_guard guard(store().lock);
  // Callers may still hold a table, so it is put aside, not freed.
  for (auto& [name, table] : store().tables) store().retired.push_back(std::move(table));
  store().tables.clear();
  store().names.clear();
}

}  // namespace godwit::facts
