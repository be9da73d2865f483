// Ratios of two pieces of work whose runs alternate, so that both meet the same noise.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace godwit::perf {

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

struct Pair {
  double ours_us = 0;
  double anchor_us = 0;
  double ratio = 0;  ///< median of anchor / ours over the pairs: above 1, we are faster
};

template <class Work>
double time_us(std::size_t repeats, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < repeats; ++i) work();
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  return spent.count() / static_cast<double>(repeats);
}

/// `pairs` alternating samples, each long enough to be timed.
template <class Ours, class Anchor>
Pair compare(const Ours& ours, const Anchor& anchor, std::size_t pairs = 15) {
  const double once = std::max(time_us(1, ours), time_us(1, anchor));
  const auto repeats = static_cast<std::size_t>(std::max(1.0, 4000 / std::max(once, 0.01)));
  std::vector<double> mine, others, ratios;
  for (std::size_t i = 0; i < pairs; ++i) {
    mine.push_back(time_us(repeats, ours));
    others.push_back(time_us(repeats, anchor));
    ratios.push_back(others.back() / mine.back());
  }
  return {median(mine), median(others), median(ratios)};
}

}  // namespace godwit::perf
