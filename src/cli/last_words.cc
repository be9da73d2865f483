// Everything is made ready before: a handler takes no memory, no lock and no stream.
#include "cli/last_words.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "base/process.h"
#include "base/unfinished.h"
#include "cli/command.h"

namespace godwit::cli {
namespace {

enum Words : std::uint8_t { kNoMemory, kFileChanged, kBug };
constexpr std::array<std::string_view, 3> kCodes = {"E047", "E048", "E049"};

// A text is cut rather than looked up later; 0 at its end.
std::array<std::array<char, 1024>, kCodes.size()> texts = {
    {{"error[E047]: no memory left\n"},
     {"error[E048]: a file changed while it was read\n"},
     {"error[E049]: a bug of Godwit\n"}}};

void say(std::string_view text) noexcept {
  if (::write(2, text.data(), text.size()) < 0) return;  // nobody is left to tell
}

void clear_up() noexcept {
  kill_programs();
  remove_unfinished();
}

// The first thread that gets here speaks for all.
[[noreturn]] void end(Words words, ExitCode status, std::string_view detail = {}) noexcept {
  static std::atomic_flag ended = ATOMIC_FLAG_INIT;
  while (ended.test_and_set()) ::pause();
  clear_up();
  say(texts[words].data());
  if (!detail.empty()) {
    say("   = ");
    say(detail);
    say("\n");
  }
  ::_exit(static_cast<int>(status));
}

void on_no_memory() { end(kNoMemory, ExitCode::kUsage); }

// An exception that nobody caught: what the standard library found wrong, so a bug of ours.
void on_terminate() {
  std::string_view what = "terminate";
  std::array<char, 200> kept{};
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::exception& error) {
    what = {kept.data(), std::min(std::strlen(error.what()), kept.size())};
    std::memcpy(kept.data(), error.what(), what.size());
  } catch (...) {
  }
  end(kBug, ExitCode::kBug, what);
}

void on_fault(int signal, siginfo_t* info, void*) {
  if (signal == SIGBUS && info->si_code == BUS_ADRERR) end(kFileChanged, ExitCode::kUsage);
  end(kBug, ExitCode::kBug,
      signal == SIGSEGV   ? "SIGSEGV"
      : signal == SIGBUS  ? "SIGBUS"
      : signal == SIGFPE  ? "SIGFPE"
      : signal == SIGABRT ? "SIGABRT"
                          : "SIGILL");
}

// Ends as it would have ended, so that a shell sees an interrupted command (130) and stops its
// loop.
void on_interrupt(int signal) {
  clear_up();
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  ::raise(signal);
}

void handle(int signal, void (*interrupt)(int), void (*fault)(int, siginfo_t*, void*)) {
  struct sigaction old {};
  if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_flags = fault ? SA_SIGINFO | SA_ONSTACK : 0;
  if (fault) action.sa_sigaction = fault;
  if (interrupt) action.sa_handler = interrupt;
  ::sigfillset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

// A stack that ran over has no room for a handler.
void take_own_stack() {
  static std::array<char, 256 * 1024> room;
  stack_t stack{};
  stack.ss_sp = room.data();
  stack.ss_size = room.size();
  ::sigaltstack(&stack, nullptr);
}

}  // namespace

void install_last_words() {
  take_own_stack();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal, on_interrupt, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    handle(signal, nullptr, on_fault);
  std::set_new_handler(on_no_memory);
  std::set_terminate(on_terminate);
}

void prepare_last_words() {
  for (std::size_t i = 0; i < kCodes.size(); ++i) {
    const std::string text = diag::render(Error{.code = std::string(kCodes[i])});
    const std::size_t length = std::min(text.size(), texts[i].size() - 1);
    std::memcpy(texts[i].data(), text.data(), length);
    texts[i][length] = '\0';
  }
}

}  // namespace godwit::cli
