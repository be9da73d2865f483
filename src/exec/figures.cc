// One pass over the numbers of a tensor.
#include "exec/figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/number.h"

namespace godwit::exec {

Figures figures(const ir::Tensor& tensor) {
  const ir::ElementType type = tensor.type();
  Figures out;
  out.has_numbers = is_floating(type) || is_integer(type) || type == ir::ElementType::kBool;
  if (!out.has_numbers) return out;
  double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0;
  std::uint64_t finite = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.count()); ++i) {
    const double number = ir::number_at(type, tensor.data(), i);
    if (!std::isfinite(number)) {
      ++out.not_finite;
      continue;
    }
    ++finite;
    sum += number;
    least = std::min(least, number);
    most = std::max(most, number);
  }
  if (finite == 0) return out;
  out.least = least;
  out.most = most;
  out.mean = sum / static_cast<double>(finite);
  return out;
}

}  // namespace godwit::exec
