// The outcome of a verification: findings by cause, tables for people, all layers for machines.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "diag/finding.h"
#include "exec/comparison.h"
#include "exec/spread.h"
#include "exec/verify.h"

namespace godwit::exec {

struct Verified {
  const VerifyRequest& request;
  const Profile& profile;
  const ir::Model& model;
  const Npu& npu;
  const Comparison& comparison;
  const std::vector<std::string>& drawn;  // names of inputs
  const std::vector<Spread>& spread;      // empty: nobody asked
};

/// Errors: E173 an output that could not be compared.
Result<diag::Outcome> report(const Verified& verified);

}  // namespace godwit::exec
