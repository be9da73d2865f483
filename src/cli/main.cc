// Entry of the godwit program.
#include "cli/command.h"

int main(int argc, char** argv) { return godwit::cli::run(argc, argv); }
