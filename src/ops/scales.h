// Quantisation by one scale, by one for every slice of an axis, or by one for every block of it,
// for opsets that have less of this than the node asks for.
#pragma once

#include "ops/term.h"

namespace godwit::ops {

/// How the scales of a node lie over what is quantised.
enum class Scales : std::uint8_t { kOne, kByAxis, kByBlock };

/// Errors: E151 when the shape of the scales is not known.
inline Result<Scales> scales_of(const Expansion& e) {
  const Shape* const scale = e.shape(1);
  if (e.opset() >= 21 && e.integer("block_size") > 0) return Scales::kByBlock;
  if (!scale) return e.refuse("unknown_rank", {{"input", "1"}});
  const bool is_one = scale->empty() || (scale->size() == 1 && (*scale)[0].is(1));
  return is_one ? Scales::kOne : Scales::kByAxis;
}

/// Whether the operator of opset `target` takes such scales.
inline bool takes_scales(Scales scales, std::int64_t target) {
  return target >= (scales == Scales::kByBlock ? 21 : scales == Scales::kByAxis ? 13 : 1);
}

/// Scales or zero points (`input`), in a shape that broadcasts over what is quantised.
inline Result<Term> spread(Expansion& e, std::size_t input, Scales scales) {
  ASSIGN(const Term x, term(e, input));
  if (scales == Scales::kOne) return x;
  ASSIGN(const std::size_t rank, e.known_rank(0));
  ASSIGN(const std::size_t axis, e.axis("axis", rank));
  if (scales == Scales::kByAxis) {
    Ints shape(rank, 1);
    shape[axis] = -1;
    return x.reshaped(e.indices(std::move(shape)));
  }
  const Dim size = (*e.shape(0))[axis];
  if (!size.is_known()) return e.refuse("unknown_rank", {{"input", "0"}});
  Ints block_of;
  for (std::int64_t i = 0; i < size.value(); ++i) block_of.push_back(i / e.integer("block_size"));
  return x.then("Gather", {e.indices(std::move(block_of))},
                {{"axis", static_cast<std::int64_t>(axis)}});
}

}  // namespace godwit::ops
