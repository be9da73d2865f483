// Attention said in products and a softmax.
#pragma once

#include <cstddef>

#include "ops/expand.h"

namespace godwit::ops {

/// The places of what the operator reads and makes.
namespace attention {
enum Input : std::size_t { kQ, kK, kV, kMask, kPastKey, kPastValue, kValidKeys };
enum Output : std::size_t { kY, kPresentKey, kPresentValue, kScores };
}  // namespace attention

/// Errors: E151 where heads or masks have sizes that are not known.
Status expand_attention(Expansion& e);

}  // namespace godwit::ops
