// Does this chip have a kernel for an operator in a type? Decided once, then one load per call.
#pragma once

#include "operator.h"

namespace godwit {

/// Throws where the chip has no kernel; warns, counts or falls back as the profile says.
void decide_support(const Operator& op, c10::ScalarType type);

inline void check_support(const Operator& op, c10::ScalarType type) {
  const auto at = static_cast<size_t>(type);
  op.calls[at].fetch_add(1, std::memory_order_relaxed);
  if (C10_UNLIKELY(op.verdicts[at].load(std::memory_order_relaxed) != Verdict::kRuns)) decide_support(op, type);
}

}  // namespace godwit
