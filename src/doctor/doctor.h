// Doctor: does the installed or described environment fit together, and what should be installed?
#pragma once

#include <string>

#include "base/result.h"
#include "diag/finding.h"

namespace godwit::doctor {

struct Options {
  std::string project = ".";   // whose pins are kept
  std::string to{};            // chip, family or product; empty: the chip of this machine
  std::string description{};   // a file that describes the environment; empty: read a machine
  std::string requirements{};  // a team's own matrix
  std::string root{};          // a copied tree of another machine; empty: this one
};

/// Findings, what is installed, the recommended releases and the commands that install them.
/// Errors: E001 no such project or root, E024 and E025 of the chip, E100…E102 and those of reading
/// files and tables.
Result<diag::Outcome> doctor(const Options& options);

}  // namespace godwit::doctor
