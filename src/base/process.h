// Other programs: run with a time limit, output captured, no shell.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"

namespace godwit {

struct Finished {
  int exit_code = 0;
  std::string output;  // stdout and stderr together, at most 4 MiB
};

/// Runs `arguments[0]`, found on PATH, in a process group that is killed past `limit`.
/// Errors: E014 not found or not startable, E015 ran past the limit.
Result<Finished> run_program(const std::vector<std::string>& arguments,
                             std::chrono::milliseconds limit);

/// Ends what `run_program` waits for. For handlers of signals.
void kill_programs() noexcept;

}  // namespace godwit
