// Ratios of two pieces of work whose runs alternate, so that both meet the same noise.
#pragma once

#include <time.h>

#include <algorithm>
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

/// CPU time of one thread is what other programs disturb least; several threads need the wall's.
enum class Clock { kThread, kWall };

inline double now_us(Clock clock) {
  timespec time{};
  ::clock_gettime(clock == Clock::kThread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

template <class Work>
double time_us(Clock clock, std::size_t repeats, const Work& work) {
  const double start = now_us(clock);
  for (std::size_t i = 0; i < repeats; ++i) work();
  return (now_us(clock) - start) / static_cast<double>(repeats);
}

/// `pairs` alternating samples, each long enough to be timed.
template <class Ours, class Anchor>
Pair compare(Clock clock, const Ours& ours, const Anchor& anchor, std::size_t pairs = 15) {
  const double once = std::max(time_us(clock, 1, ours), time_us(clock, 1, anchor));
  const auto repeats = static_cast<std::size_t>(std::max(1.0, 4000 / std::max(once, 0.01)));
  std::vector<double> mine, others, ratios;
  for (std::size_t i = 0; i < pairs; ++i) {
    mine.push_back(time_us(clock, repeats, ours));
    others.push_back(time_us(clock, repeats, anchor));
    ratios.push_back(others.back() / mine.back());
  }
  return {median(mine), median(others), median(ratios)};
}

}  // namespace godwit::perf
