// Does this chip have a kernel for an operator in a type? Decided once, then one load per call.
#pragma once

#include "operator.h"

namespace godwit {

/// Throws where the chip has no kernel; warns, counts or falls back as the profile says.
void decide_support(const Operator& op, c10::ScalarType type);

/// Inside of one operator of the chip that is written as several of torch's: those are not asked
/// for.
extern thread_local int inside_of_one;

inline void check_support(const Operator& op, c10::ScalarType type) {
  if (C10_UNLIKELY(inside_of_one > 0)) return;
  const auto at = static_cast<size_t>(type);
  op.calls[at].fetch_add(1, std::memory_order_relaxed);
  if (C10_UNLIKELY(op.verdicts[at].load(std::memory_order_relaxed) != Verdict::kRuns))
    decide_support(op, type);
}

/// A tensor of that type is made on the device: complex ones are refused where the chip's mode
/// refuses them.
void check_creation(c10::ScalarType type);

/// A cast on the device. Copies that keep the type need no kernel.
void check_cast(c10::ScalarType from, c10::ScalarType to);

/// What a cast to `type` of a tensor on the device gives: float for double where the chip has none,
/// with one warning.
c10::ScalarType type_of_cast(c10::ScalarType type);

}  // namespace godwit
