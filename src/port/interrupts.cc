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
    struct sigaction old {};
    struct sigaction mine {};
    mine.sa_handler = remember;
    if (::sigaction(signal, nullptr, &old) != 0) continue;
    if (old.sa_handler == SIG_IGN || old.sa_handler == remember) continue;
    if (::sigaction(signal, &mine, nullptr) == 0) caught_.emplace_back(signal, old);
  }
}

Interrupts::~Interrupts() {
  for (const auto& [signal, old] : caught_) ::sigaction(signal, &old, nullptr);
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
