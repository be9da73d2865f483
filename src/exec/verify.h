// What `godwit verify` does: a model in reference precision beside the same, or another one, under
// the numerics of a chip; which layer leaves the tolerance first, and why.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "diag/finding.h"
#include "exec/session.h"

namespace godwit::exec {

struct VerifyRequest {
  std::string model{};                // runs on the chip
  std::string against{};              // runs in reference precision; empty: `model`
  std::string to{};                   // chip
  std::vector<std::string> inputs{};  // as FeedOptions::sources; what they leave out is drawn
  std::uint64_t seed = 0;
  std::vector<std::string> dims{};  // "N=4"
  bool fills_dims = false;          // open dimensions become 1 instead of an error
  std::string reference = "fp64";   // or "fp32"
  std::string executor = "plan";    // or "reference": what runs the chip's side, and an fp32 one
  std::string gate = "requested";   // which one decides: a name of compare::kGates
  bool lists_layers = false;        // a table of all layers, for people
  bool spreads = false;             // also over orders of sums and store points
  ChipWords chip{};
};

/// Findings: C020 and C021 an output beyond a gate, C001 to C009 the riskiest layers by cause, C010
/// constants that the chip cannot hold. Errors: those of exec::run, E173 outputs that cannot be
/// compared.
Result<diag::Outcome> verify(const VerifyRequest& request);

}  // namespace godwit::exec
