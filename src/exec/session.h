// What `godwit run` does: a model, its inputs, with what numbers, and where the values go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "diag/finding.h"
#include "exec/npu.h"

namespace godwit::exec {

/// How a chip is to be emulated, in the words of the command line; empty: its default.
struct ChipWords {
  std::string precision_mode{};  // "force_fp16" or "must_keep_origin_dtype"
  std::string stores{};          // "unfused" or "fused"
  std::string order{};           // "cube16", "sequential", "exact" or "fast"
};

/// With what numbers a run goes.
struct Profile {
  std::string name{};  // "fp32", "fp64", or the family of a chip
  std::optional<facts::Numerics> chip{};
  NpuOptions options{};
};

/// Errors: E170 a chip without numerics, or a word that means nothing; those of
/// facts::resolve_target.
Result<Profile> resolve_profile(const std::string& name, const ChipWords& words = {});

/// The families whose numerics are described, for messages.
std::string known_chips();

/// What runs a model: the fast plan, or the interpreter that it is held against.
Result<bool> is_planned(const std::string& executor);

/// What the user gives for a run.
struct RunRequest {
  std::string model{};
  std::vector<std::string> inputs{};  // as FeedOptions::sources
  bool random = false;
  std::uint64_t seed = 0;
  std::vector<std::string> dims{};  // "N=4"
  std::string profile = "fp32";
  ChipWords chip{};
  std::string executor = "plan";  // or "reference"
  std::string outputs{};          // .npz; empty: not written
  std::string dump{};             // folder; empty: none
};

/// Errors: those of open_model, parse_dims, feed, resolve_profile and run, E183.
Result<diag::Outcome> run(const RunRequest& request);

}  // namespace godwit::exec
