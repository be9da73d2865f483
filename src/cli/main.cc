// Entry of the godwit program.
#include <fcntl.h>

#include <csignal>

#include "cli/command.h"
#include "cli/last_words.h"

namespace {

// A stream that the caller closed would be the next file that is opened, and our words its content.
// Opened for reading, it still refuses them.
void keep_streams() {
  for (const int stream : {0, 1, 2}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  keep_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error that we can name (EFBIG)
  godwit::cli::install_last_words();
  return godwit::cli::run(argc, argv);
}
