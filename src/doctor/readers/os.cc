// The operating system: /etc/os-release, the kernel and the architecture.
#include "base/text.h"
#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

// CentOS writes "7" into os-release and "CentOS Linux release 7.6.1810" here.
std::string centos_release(const Machine& machine) {
  const std::string text = machine.read("/etc/centos-release").value_or("");
  for (const std::string_view word : split(text, ' ')) {
    if (const auto version = Version::parse(word)) return version->leading(2);
  }
  return {};
}

// "Linux 5.15.0-76-generic x86_64", as `uname -srm` prints it.
std::string uname(const Machine& machine) {
  if (const auto told = machine.output({"uname", "-srm"})) return std::string(trim(*told));
  return {};
}

void read(const Machine& machine, Environment& environment) {
  constexpr std::string_view kFile = "/etc/os-release";
  const std::string release = machine.read(kFile).value_or("");
  environment.os.learn(to_lower(value_of(release, "ID")), kFile);
  if (environment.os.value == "centos") {
    environment.os_version.learn(centos_release(machine), "/etc/centos-release");
  }
  environment.os_version.learn(value_of(release, "VERSION_ID"), kFile);
  const std::string told = uname(machine);
  const auto words = split_list(told, ' ');
  if (words.size() != 3) return;
  environment.kernel.learn(words[1], "uname -srm");
  environment.arch.learn(words[2], "uname -srm");
}

}  // namespace

extern const Reader os = {.name = "os", .read = read};

}  // namespace godwit::doctor::readers
