// Looks at folders and files only, so that a second run stays fast.
#include "dossier/machine.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
namespace {

constexpr std::array<const char*, 12> kVariables = {"PATH",
                                                    "LD_LIBRARY_PATH",
                                                    "PYTHONPATH",
                                                    "VIRTUAL_ENV",
                                                    "CONDA_PREFIX",
                                                    "HOME",
                                                    "CUDA_HOME",
                                                    "ASCEND_HOME_PATH",
                                                    "ASCEND_OPP_PATH",
                                                    "ASCEND_TOOLKIT_HOME",
                                                    "ATB_HOME_PATH",
                                                    "ASCEND_RT_VISIBLE_DEVICES"};
constexpr std::array<std::string_view, 8> kPrograms = {"npu-smi", "nvidia-smi", "nvcc",  "python3",
                                                       "python",  "gcc",        "cmake", "atc"};
constexpr std::array<const char*, 9> kPlaces = {"/etc/os-release",
                                                "/etc/ascend_install.info",
                                                "/usr/local/Ascend",
                                                "/usr/local/Ascend/driver",
                                                "/usr/local/Ascend/driver/version.info",
                                                "/usr/local/Ascend/ascend-toolkit",
                                                "/usr/local/Ascend/ascend-toolkit/latest",
                                                "/usr/local/cuda",
                                                "/dev/davinci0"};

std::string look(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return format("{} {} {}.{}\n", show_path(path), status.st_size, status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec);
}

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

// PREFIX/lib/python3.N/site-packages and dist-packages: their times change with each installation.
std::string packages_below(const fs::path& prefix) {
  std::string out;
  std::error_code code;
  std::vector<fs::path> found;
  for (const char* const lib : {"lib", "lib64"}) {
    for (fs::directory_iterator at(prefix / lib, code), end; !code && at != end;
         at.increment(code)) {
      if (!at->path().filename().string().starts_with("python3")) continue;
      for (const char* const name : {"site-packages", "dist-packages"})
        found.push_back(at->path() / name);
    }
  }
  std::sort(found.begin(), found.end());
  for (const fs::path& path : found) out += look(path);
  return out;
}

std::string programs() {
  std::string out;
  for (const std::string_view program : kPrograms) {
    for (const std::string_view folder : split_list(variable("PATH"), ':')) {
      const fs::path path = fs::path(std::string(folder)) / std::string(program);
      const std::string seen = look(path);
      if (seen.empty()) continue;
      out += seen;
      std::error_code code;
      if (program.starts_with("python")) {
        out += packages_below(path.parent_path().parent_path());
        out += packages_below(fs::canonical(path, code).parent_path().parent_path());
      }
      break;
    }
  }
  return out;
}

}  // namespace

std::string machine_facts() {
  std::string out;
  for (const char* const name : kVariables) out += format("{}={}\n", name, variable(name));
  for (const char* const place : kPlaces) out += look(place);
  for (const char* const file : {"/proc/sys/kernel/osrelease", "/proc/driver/nvidia/version"}) {
    const auto text = read_file(file);
    if (text) out += *text;
  }
  for (const char* const name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (*variable(name)) out += packages_below(variable(name));
  }
  return out + packages_below("/usr") + packages_below("/usr/local") +
         packages_below(fs::path(variable("HOME")) / ".local") + programs();
}

}  // namespace godwit::dossier
