// Layer kernel: what is registered for an operator on a chip, in which release, for which types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/soc.h"

namespace godwit::facts {

/// Where a row about a kernel comes from. Rows of a user's own machine stand above the others.
enum class Origin : std::uint8_t { kInstalled, kRegistry, kOpenSource, kExperimental };

struct Kernel {
  std::string op{};
  std::string release{};  // CANN release of a registry, first open branch of a definition
  std::string engine{};   // aicore, dsa, dvpp, aicpu, aicpu_tf, host_cpu
  std::vector<std::string>
      dtypes{};          // union over all ports; empty: chosen at run time or not listed
  std::string ports{};   // "(x)>(y)"
  std::string combos{};  // "fp16>fp16|fp32>fp32"; see data/schema/ops.kernels.toml
  std::string notes{};
  Flag dynamic = Flag::kUnknown;  // no: static shapes only
  Origin origin = Origin::kRegistry;
  std::string table{}, source{}, at{};
};

/// Who runs an operator on a chip.
enum class Runs : std::uint8_t { kUnknown, kNo, kAicore, kAicpu, kHostCpu };

std::string_view to_string(Runs runs);

struct KernelState {
  Runs runs = Runs::kUnknown;
  bool static_only = false;           // every kernel of the engine that runs it wants static shapes
  std::string since{};                // first release, when newer than the oldest registry we know
  std::vector<std::string> dtypes{};  // union over the rows that count; empty: not known
  std::vector<Kernel> rows{};  // all rows, also those that do not count (experimental, newer)
};

/// State of `op` (CANN operator type, "MatMulV2") on the chip in a CANN release; an empty release
/// means the newest known. An imported registry of that release decides alone.
Result<KernelState> kernel_state(std::string_view op, const Soc& soc, std::string_view cann = {});

/// All operators with a row for the chip, sorted, each once.
Result<std::vector<std::string>> kernel_operators(const Soc& soc);

/// A row in a few words, for people: "aicore, CANN 8.1.RC1: fp16|fp32".
std::string describe(const Kernel& kernel);
Evidence to_evidence(const Kernel& kernel);

}  // namespace godwit::facts
