// Comparing release names, and the rows of data/versions.tsv and data/releases.tsv.
#include "facts/versions.h"

#include <algorithm>

#include "base/text.h"
#include "facts/tables.h"
#include "facts/version.h"

namespace godwit::facts {
namespace {

bool is_head(std::string_view version) { return equals_ignoring_case(trim(version), "master"); }

}  // namespace

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
  if (is_head(a) || is_head(b)) return is_head(a) <=> is_head(b);
  const auto left = Version::parse(a), right = Version::parse(b);
  if (!left || !right) return left.has_value() <=> right.has_value();
  const std::weak_ordering order = *left <=> *right;
  return order < 0   ? std::strong_ordering::less
         : order > 0 ? std::strong_ordering::greater
                     : std::strong_ordering::equal;
}

bool is_version_of(std::string_view version, std::string_view prefix) {
  const auto whole = Version::parse(version), head = Version::parse(prefix);
  return whole && head && whole->has_prefix(*head);
}

Result<std::vector<std::string>> releases(std::string_view product) {
  ASSIGN(const Table* const rows, table("releases.tsv", {"product"}));
  std::vector<std::string> names;
  for (const std::uint32_t row : rows->find(rows->column("product"), product)) {
    names.emplace_back(cell(*rows, row, "release"));
  }
  return names;
}

Result<std::string> choose_release(const std::string& asked) {
  ASSIGN(const std::vector<std::string> known, releases("torch_npu"));
  if (asked.empty()) return known.empty() ? std::string() : known.back();
  if (std::find(known.begin(), known.end(), asked) != known.end()) return asked;
  ASSIGN(const std::string nearest, read_release(asked));
  return fail("E110", {}, {{"found", asked}, {"known", join(known, ", ")}, {"nearest", nearest}});
}

bool contains_release(std::string_view cell_text, std::string_view release) {
  for (const std::string_view part : split_list(cell_text)) {
    const std::size_t dots = part.find("..");
    if (part == "*" || part == release) return true;
    if (dots == std::string_view::npos) continue;
    const std::string_view last = part.substr(dots + 2);
    if (compare_versions(part.substr(0, dots), release) > 0) continue;
    if (last.empty() || compare_versions(release, last) <= 0) return true;
  }
  return false;
}

Result<std::string> read_release(std::string_view version) {
  ASSIGN(const std::vector<std::string> known, releases("torch_npu"));
  std::string best = known.empty() ? std::string(version) : known.front();
  for (const std::string& name : known) {
    if (compare_versions(name, version) <= 0) best = name;
  }
  return best;
}

Result<std::vector<VersionRow>> version_rows(std::string_view kind) {
  ASSIGN(const Table* const rows, table("versions.tsv", {"kind"}));
  std::vector<VersionRow> all;
  for (const std::uint32_t row : rows->find(rows->column("kind"), kind)) {
    const auto text = [&](std::string_view column) {
      return std::string(cell(*rows, row, column));
    };
    all.push_back({.kind = text("kind"),
                   .torch = text("torch"),
                   .torch_npu = text("torch_npu"),
                   .release = text("release"),
                   .branch = text("branch"),
                   .cann = text("cann"),
                   .cann_also = list_of(cell(*rows, row, "cann_also")),
                   .python = list_of(cell(*rows, row, "python")),
                   .hdk = list_of(cell(*rows, row, "hdk")),
                   .status = text("status"),
                   .released = text("released"),
                   .eol = text("eol"),
                   .notes = text("notes"),
                   .source = text("source"),
                   .at = text("at")});
  }
  return all;
}

}  // namespace godwit::facts
