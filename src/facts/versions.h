// Versions: how releases compare, sets of releases in table cells, and the compatibility matrix.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit::facts {

/// Orders release names of CANN, torch_npu and drivers: numbers by value, "8.2.RC1" before "8.2.0"
/// before "8.2.0.post1", alpha before beta before RC, any case; "master" is newer than all.
std::strong_ordering compare_versions(std::string_view a, std::string_view b);

/// "8.1" and "8.1.RC1" start with the same numbers: true when `version` lies in `prefix`.
bool is_version_of(std::string_view version, std::string_view prefix);

/// Releases of `product` ("torch_npu", "cann") that the tables know, oldest first.
Result<std::vector<std::string>> releases(std::string_view product);

/// The torch_npu release itself when the tables know it, the newest one for "". Errors: E110.
Result<std::string> choose_release(const std::string& asked);

/// True when the cell ("*", "A", "A..B", "A..", several joined by "|") contains the release.
bool contains_release(std::string_view cell, std::string_view release);

/// The release whose rows to use for `version` of torch_npu: itself when read, else the newest
/// read one that is older, else the oldest.
Result<std::string> read_release(std::string_view version);

/// One row of data/versions.tsv; cells that list several keep their order.
struct VersionRow {
  std::string kind{};  // "torch_npu", "torch_python", "cann_hdk"
  std::string torch{}, torch_npu{}, release{}, branch{}, cann{};
  std::vector<std::string> cann_also{}, python{}, hdk{};
  std::string status{}, released{}, eol{}, notes{}, source{}, at{};
};

Result<std::vector<VersionRow>> version_rows(std::string_view kind);

}  // namespace godwit::facts
