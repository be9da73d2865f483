// aclnn APIs: the promise of their pages and the kernels behind them, per chip and release.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/soc.h"

namespace godwit::facts {

struct AclnnApi {
  std::string name{};
  Flag official = Flag::kUnknown;  // the page lists the chip
  std::string kernel{};            // "yes", "no", "aicpu", "unknown": operators its source calls
  std::string since{};             // first release with the kernel; empty: none, or not known
  std::string first_page{};        // first branch that documents it; not "since"
  std::string dtypes{};            // "self:fp16|fp32;out:fp32"
  std::string notes{}, table{}, source{}, at{};
};

/// The row of an API for a chip, or nothing.
Result<std::optional<AclnnApi>> find_aclnn(std::string_view api, const Soc& soc);

/// False when the kernel is known to be missing in that release (empty: the newest).
bool has_kernel(const AclnnApi& api, std::string_view cann);

/// What page and kernel together say: supported, undocumented (a kernel without the promise),
/// blocked, or unknown.
Verdict to_verdict(const AclnnApi& api, std::string_view cann);

/// Types that the API names for any parameter, each once.
std::vector<std::string> dtypes_of(const AclnnApi& api);

/// Two pieces of evidence: the promise and the kernel.
std::vector<Evidence> to_evidence(const AclnnApi& api);

}  // namespace godwit::facts
