// The handler only sets a variable; all else happens between two files.
#include "port/interrupts.h"

#include <string>

namespace godwit::port {
namespace {

volatile std::sig_atomic_t g_signal = 0;

void remember(int signal) { g_signal = signal; }

}  // namespace

Interrupts::Interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto old = std::signal(signal, remember);
    if (old == SIG_DFL) {
      caught_.push_back(signal);
    } else if (old != SIG_ERR) {
      std::signal(signal, old);
    }
  }
}

Interrupts::~Interrupts() {
  for (const int signal : caught_) std::signal(signal, SIG_DFL);
  if (caught_.empty() || g_signal == 0) return;
  const int signal = g_signal;
  g_signal = 0;
  std::raise(signal);
}

Status Interrupts::check() const {
  if (g_signal == 0) return {};
  return fail("E129", {}, {{"signal", std::to_string(static_cast<int>(g_signal))}});
}

}  // namespace godwit::port
