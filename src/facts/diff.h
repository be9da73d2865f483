// Differences between two releases: kernels and pages of CANN, names and operators of torch_npu.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/soc.h"

namespace godwit::facts {

struct Difference {
  std::string kind{};  // "kernel", "aclnn", "symbol", "operator", "aclop_path", "aclnn_path"
  std::string name{};
  bool added = true;    // false: gone in the newer release
  std::string since{};  // release in which it changed, where it is known
};

/// What the newer of two releases of one product has that the older lacks, and the reverse. The
/// product is told by the names; the chip matters for CANN only. Open sources tell what was added
/// to CANN since 8.1.RC1, not what was removed. Errors: E029 a release that no table knows.
Result<std::vector<Difference>> diff_releases(std::string_view first, std::string_view second,
                                              const Soc& soc);

}  // namespace godwit::facts
