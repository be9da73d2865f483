// Progress of long work: count, rate and time left, on a terminal only and after one second.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace godwit {

/// `total` 0: not known. Thread-safe; the line is wiped when the object goes.
class Progress {
 public:
  Progress(std::string what, std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void advance(std::size_t steps = 1);

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now, std::size_t done);

  std::string what_;
  std::size_t total_;
  bool on_terminal_;
  Clock::time_point start_;
  std::atomic<std::size_t> done_{0};
  std::atomic<std::int64_t> next_show_ms_{1000};
  std::atomic<bool> shown_{false};
};

}  // namespace godwit
