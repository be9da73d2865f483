// The progress line on stderr.
#include "base/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "base/text.h"

namespace godwit {

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)), total_(total), on_terminal_(::isatty(2) == 1), start_(Clock::now()) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::advance(std::size_t steps) {
  const std::size_t done = done_.fetch_add(steps, std::memory_order_relaxed) + steps;
  if (!on_terminal_) return;
  const Clock::time_point now = Clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_).count();
  std::int64_t next = next_show_ms_.load(std::memory_order_relaxed);
  // One thread wins the turn to write; the others go on.
  if (ms >= next && next_show_ms_.compare_exchange_strong(next, ms + 200)) show(now, done);
}

void Progress::show(Clock::time_point now, std::size_t done) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done) / seconds;
  std::string line = format("\r\x1b[K{} {}", what_, with_thousands(done));
  if (total_) {
    const double left = static_cast<double>(total_ - std::min(done, total_)) / rate;
    line += format("/{} ({}%)  {:.0f}/s  {:.0f} s left", with_thousands(total_),
                   done * 100 / total_, rate, left);
  } else {
    line += format("  {:.0f}/s", rate);
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace godwit
