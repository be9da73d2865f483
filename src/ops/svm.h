// Support vector machines: their kernels.
#pragma once

#include "ops/ml.h"

namespace godwit::ops::ml {

/// LINEAR, POLY, RBF or SIGMOID with gamma, coef0 and degree.
class Kernel {
 public:
  /// Errors: E151 a kernel that is not known, or other than three parameters.
  static Result<Kernel> of(const Site& site);
  double operator()(std::span<const double> x, std::span<const float> support) const;

 private:
  std::string_view type_{};
  double gamma_ = 0, coef0_ = 0, degree_ = 0;
};

}  // namespace godwit::ops::ml
