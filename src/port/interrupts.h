// Interrupts: a run that is told to stop while it writes first takes back what it has written.
#pragma once

#include <csignal>
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
  std::vector<int> caught_;  // signals that nobody else handles or ignores
};

}  // namespace godwit::port
