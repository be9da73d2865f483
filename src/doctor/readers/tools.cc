// Build tools that CANN and extensions need: gcc and cmake.
#include "base/text.h"
#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

// The last word of the first line that is a version: "gcc (Debian 12.2.0-14) 12.2.0".
std::string version_in(const std::string& text) {
  std::string last;
  for (const std::string_view word :
       split(std::string_view(text).substr(0, text.find('\n')), ' ')) {
    if (contains(word, ".") && Version::parse(word)) last = word;
  }
  return last;
}

void read(const Machine& machine, Environment& environment) {
  environment.gcc.learn(version_in(machine.output({"gcc", "--version"}).value_or("")),
                        "gcc --version");
  environment.cmake.learn(version_in(machine.output({"cmake", "--version"}).value_or("")),
                          "cmake --version");
}

}  // namespace

extern const Reader tools = {.name = "tools", .read = read};

}  // namespace godwit::doctor::readers
