// Knowledge: which versions belong together, read once from the tables of data/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diag/finding.h"
#include "doctor/environment.h"
#include "facts/versions.h"

namespace godwit::doctor {

/// One row of requirements.tsv: when `subject` is in `when` (and `also` holds), `component` must be
/// in `range`.
struct Requirement {
  std::string component{}, subject{};
  Range when{};
  std::string also_component{};  // empty: no second condition
  Range also{};
  Range range{};
  bool is_required = false;  // must be installed, not only fit when it is
  diag::Severity severity = diag::Severity::kWarning;
  std::string note{}, source{}, at{};

  /// False as well when a version that decides is unknown.
  bool applies(const Environment& environment) const;
};

/// One row of packages.tsv: an installation file.
struct PackageFile {
  std::int64_t step = 0;
  std::string package{};  // "driver", "firmware", "toolkit", "ops", "nnal"
  Range when{};           // CANN releases
  std::string family{};   // "any": the families without a row of their own
  std::string file{}, arguments{};
};

/// One row of systems.tsv.
struct SystemRow {
  std::string product{}, family{}, system{};
  std::vector<std::string> versions{};
};

struct Knowledge {
  std::vector<facts::VersionRow> pairs{};    // torch_npu with its torch, CANN, Python
  std::vector<facts::VersionRow> pythons{};  // torch with its Pythons
  std::vector<facts::VersionRow> kits{};     // CANN with its driver kits
  std::vector<Requirement> requirements{};
  std::vector<PackageFile> files{};
  std::vector<SystemRow> systems{};

  /// Driver kits listed for a CANN release; empty: not known.
  std::vector<std::string> kits_of(std::string_view cann) const;
  /// Kits that are listed for it only beside other software, with the name of that: the note
  /// `hdk_also_with_MindIE_2.1.RC1=25.0.RC1|…`. Empty: none.
  std::pair<std::string, std::vector<std::string>> kits_beside(std::string_view cann) const;
  /// The row of one torch_npu release; null when the matrix lacks it.
  const facts::VersionRow* pair_of(std::string_view torch_npu) const;
  bool knows(std::string_view component) const;
};

/// A component that solve() chooses a release of.
bool is_solved(std::string_view component);

/// Errors: those of tables; E101 a range in a table that cannot be understood.
Result<Knowledge> load_knowledge();

/// Drivers are compatible with older toolkits: `>=` the oldest of `kits`. Any when there are none.
Range drivers_for(const std::vector<std::string>& kits);

/// True when both name the same CANN or a patch of it: 8.5.0 and 8.5.2, not 8.2.RC1 and 8.3.RC1.
bool is_same_line(std::string_view a, std::string_view b);

}  // namespace godwit::doctor
