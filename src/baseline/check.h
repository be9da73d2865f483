// Checks: one file per code, each asks whether two runs did the same, so that their curves may be
// compared.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "baseline/run.h"
#include "diag/finding.h"

namespace godwit::baseline {

/// `a` is the reference. `steps` is how many steps both have.
struct Pair {
  const Run& a;
  const Run& b;
  std::size_t steps = 0;
};

using Findings = std::vector<diag::Finding>;

/// What a check found out: kUnknown where one of the runs does not say.
enum class Verdict : std::uint8_t { kSame, kDiffers, kUnknown };

struct Check {
  std::string_view code;
  Verdict (*run)(const Pair&, Findings&);
};

/// A finding at a step of the second run (0: at no step).
diag::Finding finding(std::string_view code, diag::Severity severity, const Pair& pair,
                      std::size_t step, Args args);

/// The first step (from 1) in which `key` differs; 0: none. `is_known` tells whether any step of
/// both has it.
struct Difference {
  std::size_t step = 0;
  bool is_known = false;
};
Difference first_difference(const Pair& pair, std::string_view key);

/// A value as a person reads it: text without quotes, others as JSON.
std::string shown(const Json& value);

/// Compares the members that both have and gives those that differ as "key: a / b".
std::vector<std::string> differing(const Json& a, const Json& b);

extern const std::span<const Check* const> kChecks;

/// Runs all checks on each rank that both have; what several ranks say alike is said once, and
/// "ranks" of its properties names them. Errors: those of read_run.
Result<diag::Outcome> check(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace godwit::baseline
