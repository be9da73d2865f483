// Solve: the set of releases {driver, CANN, torch, torch_npu, Python} that fits together and keeps
// what must be kept; where none does, the smallest set of facts that contradict each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doctor/knowledge.h"
#include "doctor/pin.h"

namespace godwit::doctor {

/// Why a constraint stands; in a conflict the first ones are given up before the later ones.
enum class Origin : std::uint8_t { kInstalled, kPin, kRequirement };

struct Constraint {
  std::string component{};
  Range range{};
  Origin origin = Origin::kPin;
  Place place{};         // of a pin or a requirement line
  std::string source{};  // of an installed component

  std::string where() const;  // "requirements.txt:3"
  std::string text() const;   // "torch ==2.1.0 (requirements.txt:3)"
};

/// What an environment and files demand of the components that the matrix knows. Only the driver
/// and Python are kept as they are installed: the rest is a pip line or a file away.
std::vector<Constraint> constraints_of(const Knowledge& knowledge, const Environment& environment,
                                       const std::vector<Pin>& pins,
                                       const std::vector<Pin>& requirements);

/// A package and what all rows and pins of it allow together.
struct Want {
  std::string component{};
  std::optional<Range> range = Range{};  // nothing: they contradict each other
  std::vector<std::string> asked{};      // the single ranges
  bool is_required = false;              // must be installed, not only fit when it is
  bool is_pinned = false;                // the project names it
};

struct Solution {
  std::string torch{}, torch_npu{}, cann{},
      python{};          // python "3.11"; empty: the matrix names none
  std::string driver{};  // the installed one where it suffices, else the newest kit that is listed
  bool keeps_driver = false;
  bool driver_is_known = true;              // false: no kit is known for this CANN
  std::string status{};                     // "active", "maintenance", "eol"
  std::vector<const Requirement*> needs{};  // rows that hold for these releases
  std::vector<Constraint> kept{};           // pins that these releases were chosen for

  /// The packages that these releases or the project's pins ask for, in the order of `needs`.
  std::vector<Want> wants() const;
};

struct Plan {
  std::optional<Solution> solution{};
  std::vector<Constraint> conflict{};  // smallest set that no releases satisfy together
  std::vector<Constraint> given_up{};  // what the solution does not keep
  std::vector<Constraint> kept{};      // what it keeps
  /// Where keeping the driver and Python leaves only releases past their end of life: what a change
  /// of those would open.
  std::optional<Solution> with_upgrade{};
};

/// Prefers releases that are still maintained, then few changes to what is installed, then new
/// ones. `knowledge` must outlive the plan.
Plan solve(const Knowledge& knowledge, const Environment& environment,
           std::vector<Constraint> constraints);

}  // namespace godwit::doctor
