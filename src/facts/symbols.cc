// Rows of data/api/torch_npu_symbols.tsv and data/api/renames.tsv.
#include "facts/symbols.h"

#include "base/text.h"
#include "facts/overlay.h"
#include "facts/tables.h"
#include "facts/versions.h"

namespace godwit::facts {
namespace {

constexpr std::string_view kSymbols = "api/torch_npu_symbols.tsv";

// torch.npu is the module torch_npu.npu under another name.
std::string own_name(std::string_view name) {
  constexpr std::string_view alias = "torch.npu";
  if (!name.starts_with(alias)) return std::string(name);
  return "torch_npu.npu" + std::string(name.substr(alias.size()));
}

std::optional<Symbol> find_in(const Table* rows, std::string_view name) {
  if (!rows) return std::nullopt;
  const auto found = rows->find(rows->column("name"), name);
  if (found.empty()) return std::nullopt;
  const auto text = [&](std::string_view column) {
    return std::string(cell(*rows, found.front(), column));
  };
  return Symbol{.name = text("name"),
                .kind = text("kind"),
                .alias = text("alias") == "yes",
                .releases = text("releases")};
}

}  // namespace

Result<std::optional<Symbol>> find_symbol(std::string_view name) {
  const std::string own = own_name(name);
  ASSIGN(const Table* const installed, overlay_table(kSymbols, {"name"}));
  if (std::optional<Symbol> found = find_in(installed, own)) return found;
  ASSIGN(const Table* const rows, table(kSymbols, {"name"}));
  return find_in(rows, own);
}

Result<bool> has_symbol(std::string_view name, std::string_view release) {
  const std::string own = own_name(name);
  if (overlay_manifest()["torch_npu"].string() == release && !release.empty()) {
    ASSIGN(const Table* const installed, overlay_table(kSymbols, {"name"}));
    if (find_in(installed, own)) return true;
  }
  ASSIGN(const Table* const rows, table(kSymbols, {"name"}));
  const std::optional<Symbol> found = find_in(rows, own);
  if (!found) return false;
  ASSIGN(const std::string read, read_release(release));
  return contains_release(found->releases, read);
}

Result<std::optional<Rename>> find_rename(std::string_view cuda_name) {
  ASSIGN(const Table* const rows, table("api/renames.tsv", {"cuda"}));
  const auto found = rows->find(rows->column("cuda"), cuda_name);
  if (found.empty()) return std::nullopt;
  const auto text = [&](std::string_view column) {
    return std::string(cell(*rows, found.front(), column));
  };
  const std::string relation = text("relation");
  return Rename{.cuda = text("cuda"),
                .npu = text("npu"),
                .symbol = text("symbol"),
                .renaming = relation == "same"      ? Renaming::kSame
                            : relation == "renamed" ? Renaming::kRenamed
                                                    : Renaming::kDiffers,
                .note = text("note")};
}

}  // namespace godwit::facts
