// Compares releases by the release columns of the tables.
#include "facts/diff.h"

#include <algorithm>

#include "base/text.h"
#include "diag/messages.h"
#include "facts/tables.h"
#include "facts/versions.h"

namespace godwit::facts {
namespace {

bool knows(const std::vector<std::string>& all, std::string_view release) {
  return std::find(all.begin(), all.end(), release) != all.end();
}

// A definition that became open later than its kernel was registered is nothing new.
Result<bool> is_registered(const Soc& soc, std::string_view op) {
  const std::string name = format("ops/kernels/{}.tsv", soc.family);
  if (!has_table(name)) return false;
  ASSIGN(const Table* const rows, table(name, {"op"}));
  return !rows->find(rows->column("op"), op).empty();
}

// Rows that name the release in which they appeared.
Status add_since(const std::string& name, std::string_view key, std::string_view since_column,
                 std::string_view kind, std::pair<std::string_view, std::string_view> span,
                 std::vector<Difference>& out) {
  if (!has_table(name)) return {};
  ASSIGN(const Table* const rows, table(name, {key == "op" ? "op" : "api"}));
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    const std::string_view since = cell(*rows, row, since_column);
    if (since.empty() || compare_versions(since, span.first) <= 0) continue;
    if (compare_versions(since, span.second) > 0) continue;
    if (contains(cell(*rows, row, "notes"), "experimental")) continue;
    out.push_back({.kind = std::string(kind),
                   .name = std::string(cell(*rows, row, key)),
                   .since = std::string(since)});
  }
  return {};
}

// Rows that list the releases which have them.
Status add_listed(std::string_view name, std::string_view key, std::string_view column,
                  std::string_view kind, std::pair<std::string_view, std::string_view> span,
                  std::vector<Difference>& out) {
  ASSIGN(const Table* const rows, table(name, {key == "overload" ? "overload" : "name"}));
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    const std::string_view has = cell(*rows, row, column);
    const bool before = contains_release(has, span.first);
    const bool after = contains_release(has, span.second);
    if (before == after) continue;
    std::string full(cell(*rows, row, key));
    if (key == "overload") full = format("{}::{}", cell(*rows, row, "namespace"), full);
    out.push_back({.kind = std::string(kind), .name = std::move(full), .added = after});
  }
  return {};
}

}  // namespace

Result<std::vector<Difference>> diff_releases(std::string_view first, std::string_view second,
                                              const Soc& soc) {
  std::pair<std::string_view, std::string_view> span{first, second};
  if (compare_versions(first, second) > 0) std::swap(span.first, span.second);
  ASSIGN(const std::vector<std::string> cann, releases("cann"));
  ASSIGN(const std::vector<std::string> torch_npu, releases("torch_npu"));
  std::vector<Difference> out;
  if (knows(cann, first) && knows(cann, second)) {
    TRY(add_since(format("ops/kernels_open/{}.tsv", soc.family), "op", "first_branch", "kernel",
                  span, out));
    TRY(add_since(format("api/aclnn/{}.tsv", soc.family), "api", "kernel_since", "aclnn", span,
                  out));
  } else if (knows(torch_npu, first) && knows(torch_npu, second)) {
    const std::string_view operators = "api/torch_npu_ops.tsv";
    TRY(add_listed("api/torch_npu_symbols.tsv", "name", "releases", "symbol", span, out));
    TRY(add_listed(operators, "overload", "releases", "operator", span, out));
    TRY(add_listed(operators, "overload", "aclop_releases", "aclop_path", span, out));
    TRY(add_listed(operators, "overload", "aclnn_releases", "aclnn_path", span, out));
  } else {
    std::vector<std::string> all = cann;
    all.insert(all.end(), torch_npu.begin(), torch_npu.end());
    const std::string strange(knows(all, first) ? second : first);
    std::vector<std::string> close = nearest(strange, all);
    if (close.empty()) close = {cann.front(), torch_npu.back()};
    return fail("E029", {},
                {{"found", strange},
                 {"what", diag::text("facts.what_release")},
                 {"nearest", join(close, ", ")}});
  }
  std::sort(out.begin(), out.end(), [](const Difference& a, const Difference& b) {
    return std::tie(a.kind, a.added, a.name) < std::tie(b.kind, b.added, b.name);
  });
  const auto same = [](const Difference& a, const Difference& b) {
    return a.kind == b.kind && a.name == b.name && a.added == b.added;
  };
  std::vector<Difference> news;
  for (Difference& d : out) {
    ASSIGN(const bool old, is_registered(soc, d.name));
    if (d.kind != "kernel" || !old) news.push_back(std::move(d));
  }
  out = std::move(news);
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

}  // namespace godwit::facts
