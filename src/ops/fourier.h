// The discrete Fourier transform by its definition, with the roots of unity made once.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

namespace godwit::ops {

using Spectrum = std::vector<std::complex<double>>;

class Fourier {
 public:
  explicit Fourier(std::size_t length) : roots_(length) {
    for (std::size_t k = 0; k < length; ++k) {
      const double turn = static_cast<double>(k) / static_cast<double>(length);
      roots_[k] = std::polar(1.0, -2 * std::numbers::pi * turn);
    }
  }
  std::size_t length() const { return roots_.size(); }

  /// y[k] = sum of x[n] exp(-2 pi j k n / N) for k < `count`; x holds N numbers.
  Spectrum forward(std::span<const std::complex<double>> x, std::size_t count) const {
    Spectrum y(count);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t n = 0, turn = 0; n < x.size(); ++n) {
        y[k] += x[n] * roots_[turn];
        turn += k;
        if (turn >= length()) turn -= length();
      }
    }
    return y;
  }
  /// x[n] = 1/N times the sum of y[k] exp(2 pi j k n / N).
  Spectrum inverse(Spectrum y) const {
    for (auto& each : y) each = std::conj(each);
    Spectrum x = forward(y, length());
    for (auto& each : x) each = std::conj(each) / static_cast<double>(length());
    return x;
  }

 private:
  Spectrum roots_;
};

}  // namespace godwit::ops
