// The notation of Einsum: which axes of the operands are one label, and which labels remain.
#pragma once

#include <string>
#include <vector>

#include "ops/site.h"

namespace godwit::ops {

/// Letters by their codes; axes of an ellipsis by numbers from kEllipsis on, the last axis first.
using Label = int;
using Labels = std::vector<Label>;
inline constexpr Label kEllipsis = 256;

struct Equation {
  std::vector<Labels> operands;  // a label for every axis
  Labels output;
};

/// Reads "ij,jk->ik" for operands of these ranks. Without an arrow the output has the axes of the
/// ellipsis, then the letters that stand once, in order. Errors: E151.
Result<Equation> read_equation(const Site& site, const std::vector<std::size_t>& ranks);

}  // namespace godwit::ops
