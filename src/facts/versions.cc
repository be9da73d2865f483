// Comparing release names, and the rows of data/versions.tsv and data/releases.tsv.
#include "facts/versions.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

struct Part {
  int rank = 0;  // kind of the part; missing parts count as a plain end
  std::int64_t number = 0;
};

constexpr int kEnd = 4;
constexpr int kNumber = 5;

int rank_of(std::string_view word) {
  if (word == "dev") return 0;
  if (word == "alpha" || word == "a") return 1;
  if (word == "beta" || word == "b") return 2;
  if (word == "rc") return 3;
  return word == "post" ? 6 : 2;  // another word: a preview of some kind
}

// "8.2.RC1" → number 8, number 2, rc 1
std::vector<Part> parts_of(std::string_view version) {
  const std::string text = to_lower(trim(version.substr(0, version.find('+'))));
  std::vector<Part> parts;
  for (std::size_t i = 0; i < text.size();) {
    const auto is = [&](auto test) {
      return i < text.size() && test(static_cast<unsigned char>(text[i]));
    };
    const auto letter = [](unsigned char c) { return std::isalpha(c) != 0; };
    const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    if (!is(letter) && !is(digit)) {
      ++i;
      continue;
    }
    const std::size_t start = i;
    while (is(letter)) ++i;
    Part part{.rank =
                  i == start ? kNumber : rank_of(std::string_view(text).substr(start, i - start))};
    const std::size_t digits = i;
    while (is(digit)) ++i;
    part.number = parse_integer(std::string_view(text).substr(digits, i - digits)).value_or(0);
    parts.push_back(part);
  }
  return parts;
}

std::vector<std::string> list(std::string_view cell_text) {
  const auto parts = split_list(cell_text);
  return {parts.begin(), parts.end()};
}

bool is_head(std::string_view version) { return equals_ignoring_case(trim(version), "master"); }

}  // namespace

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
  if (is_head(a) || is_head(b)) return is_head(a) <=> is_head(b);
  const std::vector<Part> left = parts_of(a);
  const std::vector<Part> right = parts_of(b);
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    // "8.2" and "8.2.0" are equal: a missing number is 0, a missing word is the plain release.
    const auto at = [&](const std::vector<Part>& own, const std::vector<Part>& other) {
      if (i < own.size()) return own[i];
      return Part{.rank = other[i].rank == kNumber ? kNumber : kEnd};
    };
    const Part l = at(left, right);
    const Part r = at(right, left);
    if (l.rank != r.rank) return l.rank <=> r.rank;
    if (l.number != r.number) return l.number <=> r.number;
  }
  return std::strong_ordering::equal;
}

bool is_version_of(std::string_view version, std::string_view prefix) {
  const std::vector<Part> all = parts_of(version);
  const std::vector<Part> head = parts_of(prefix);
  if (head.size() > all.size()) return false;
  return std::equal(head.begin(), head.end(), all.begin(), [](const Part& a, const Part& b) {
    return a.rank == b.rank && a.number == b.number;
  });
}

Result<std::vector<std::string>> releases(std::string_view product) {
  ASSIGN(const Table* const rows, table("releases.tsv", {"product"}));
  std::vector<std::string> names;
  for (const std::uint32_t row : rows->find(rows->column("product"), product)) {
    names.emplace_back(cell(*rows, row, "release"));
  }
  return names;
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
                   .cann_also = list(cell(*rows, row, "cann_also")),
                   .python = list(cell(*rows, row, "python")),
                   .hdk = list(cell(*rows, row, "hdk")),
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
