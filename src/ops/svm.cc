// Kernels as libsvm defines them.
#include "ops/svm.h"

#include <cmath>

#include "ops/expect.h"

namespace godwit::ops::ml {

Result<Kernel> Kernel::of(const Site& site) {
  Kernel out;
  out.type_ = site.text("kernel_type");
  const bool is_known =
      out.type_ == "LINEAR" || out.type_ == "POLY" || out.type_ == "RBF" || out.type_ == "SIGMOID";
  if (!is_known) return refuse_attribute(site, "kernel_type");
  const Floats parameters = site.numbers("kernel_params");
  if (parameters.empty()) return out;
  if (parameters.size() != 3) return refuse_attribute(site, "kernel_params");
  out.gamma_ = static_cast<double>(parameters[0]);
  out.coef0_ = static_cast<double>(parameters[1]);
  out.degree_ = static_cast<double>(parameters[2]);
  return out;
}

double Kernel::operator()(std::span<const double> x, std::span<const float> support) const {
  double dot = 0, distance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto s = static_cast<double>(support[i]);
    dot += x[i] * s;
    distance += (x[i] - s) * (x[i] - s);
  }
  if (type_ == "POLY") return std::pow(gamma_ * dot + coef0_, degree_);
  if (type_ == "RBF") return std::exp(-gamma_ * distance);
  return type_ == "SIGMOID" ? std::tanh(gamma_ * dot + coef0_) : dot;
}

}  // namespace godwit::ops::ml
