// Explains a code through the installed library: reaches the commands, the messages and the carried
// data.
#include <godwit/godwit.h>

#include <cstdio>

int main() {
  char program[] = "uses_godwit";
  char command[] = "explain";
  char code[] = "E001";
  char* arguments[] = {program, command, code, nullptr};
  std::printf("godwit %s\n", godwit::version().data());
  return godwit::run_command_line(3, arguments);
}
