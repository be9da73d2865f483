// Godwit as a library: the same commands that the program has, inside another program.
#pragma once

#include <string_view>

namespace godwit {

/// Version of the library, three numbers with dots between them.
std::string_view version();

/// Runs a command line as the program godwit does: `argv[0]` is ignored, results go to stdout,
/// everything else to stderr. Returns the exit code: 0 fine, 1 findings or a failed gate, 2 usage
/// or input error, 3 a bug of Godwit. Never throws. Not to be called from two threads at once.
int run_command_line(int argc, char** argv);

}  // namespace godwit
