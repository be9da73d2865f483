// posix_spawn with a pipe and a poll loop: no shell, no zombie, no hang.
#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/text.h"

extern char** environ;

namespace godwit {
namespace {

constexpr std::size_t kMostOutput = std::size_t{4} << 20;
using Clock = std::chrono::steady_clock;

// Groups that are running, for handlers of signals: a terminal does not reach other groups.
std::array<std::atomic<pid_t>, 64> running;

void remember(pid_t child) {
  for (std::atomic<pid_t>& slot : running) {
    pid_t free = 0;
    if (slot.compare_exchange_strong(free, child)) return;
  }
}

void forget(pid_t child) {
  for (std::atomic<pid_t>& slot : running) {
    pid_t taken = child;
    if (slot.compare_exchange_strong(taken, 0)) return;
  }
}

// Reads until the writer closes; false when `deadline` passes first.
bool collect(int fd, Clock::time_point deadline, std::string& output) {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    const std::size_t room = kMostOutput - std::min(kMostOutput, output.size());
    output.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

int spawn(const std::vector<std::string>& arguments, int write_end, pid_t& child) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, write_end, 1);
  posix_spawn_file_actions_adddup2(&actions, write_end, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int code = ::posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

}  // namespace

void kill_programs() noexcept {
  for (const std::atomic<pid_t>& slot : running) {
    const pid_t child = slot.load();
    if (child > 0) ::kill(-child, SIGKILL);
  }
}

Result<Finished> run_program(const std::vector<std::string>& arguments,
                             std::chrono::milliseconds limit) {
  std::array<int, 2> ends{};
  pid_t child = -1;
  const bool piped = ::pipe2(ends.data(), O_CLOEXEC) == 0;
  const int code = piped ? spawn(arguments, ends[1], child) : errno;
  if (piped) ::close(ends[1]);
  if (code != 0) {
    if (piped) ::close(ends[0]);
    return fail("E014", {}, {{"program", arguments[0]}, {"reason", std::strerror(code)}});
  }
  remember(child);
  Finished finished;
  const bool in_time = collect(ends[0], Clock::now() + limit, finished.output);
  ::close(ends[0]);
  if (!in_time) ::kill(-child, SIGKILL);
  forget(child);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    return fail("E015", {}, {{"program", arguments[0]}, {"limit", format("{} ms", limit.count())}});
  }
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

}  // namespace godwit
