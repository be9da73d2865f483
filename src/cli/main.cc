// Entry of the godwit program.
#include <csignal>

#include "cli/command.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error that we can name (EFBIG)
  return godwit::cli::run(argc, argv);
}
