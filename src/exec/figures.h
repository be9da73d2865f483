// What a tensor holds, in a few numbers: for tables that a person reads.
#pragma once

#include <cstdint>

#include "ir/tensor.h"

namespace godwit::exec {

/// Of numbers that are finite; all 0 when there is none. Strings and complex numbers have none.
struct Figures {
  bool has_numbers = false;
  double least = 0, most = 0, mean = 0;
  std::uint64_t not_finite = 0;
};

Figures figures(const ir::Tensor& tensor);

}  // namespace godwit::exec
