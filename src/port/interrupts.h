// Interrupts: a run that is told to stop while it writes first takes back what it has written.
#pragma once

#include <signal.h>

#include <csignal>
#include <utility>
#include <vector>

#include "base/result.h"

namespace godwit::port {

/// While one lives, signals that would end the program (Ctrl-C, kill, a closed terminal) are only
/// remembered; with its end they do what they would have done.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  /// Errors: E129 a signal has come.
  Status check() const;

 private:
  // Those that nobody ignores, with what they did before.
  std::vector<std::pair<int, struct sigaction>> caught_;
};

}  // namespace godwit::port
