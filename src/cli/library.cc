// The public entry of include/godwit: keeps the types of the command line out of other programs.
#include "cli/command.h"
#include "godwit/godwit.h"

namespace godwit {

int run_command_line(int argc, char** argv) { return cli::run(argc, argv); }

}  // namespace godwit
