// Environment: a typed picture of one machine, installed or described; every value says where it
// was found, and a value that was found nowhere is unknown, never assumed.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "facts/version.h"

namespace godwit::doctor {

using facts::package_name;
using facts::Range;
using facts::Version;

/// A value and the file or command that told it. Empty: unknown.
struct Found {
  std::string value{};
  std::string source{};

  bool known() const { return !value.empty(); }
  std::optional<Version> version() const { return Version::parse(value); }
  /// Keeps what is known already: the first source wins.
  void learn(std::string_view text, std::string_view from);
};

struct Npu {
  std::string card{}, chip{};  // ids as npu-smi counts them
  std::string name{};          // "310P3", "910B4", "Ascend910"
  std::string health{};        // "OK", "Warning", "Alarm", "Critical", "UNKNOWN"; empty: not told
  std::string source{};
};

struct Gpu {
  std::string name{};
  std::string memory{};
};

/// One installed (or pinned) Python package.
struct Package {
  std::string name{};     // as package_name() gives it: "torch_npu"
  std::string version{};  // "2.1.0.post13"
  std::string source{};   // folder or file that names it
};

/// The operator package of one chip family: compiled kernels of CANN.
struct OpsPackage {
  std::string family{};  // "ascend310p"
  std::string source{};
};

struct Environment {
  Found os, os_version, kernel, arch;
  Found driver, firmware, npu_product;
  Found cann, cann_root, nnal;
  Found python;
  Found gcc, cmake;
  Found nvidia_driver, cuda, nvcc;
  Found torch_cuda;  // the CUDA release that the installed torch was built for

  // Of the driver's own version file: which firmware it goes with, and the firmware's inner number.
  Found firmware_number, firmware_range;
  Found npu_smi_error;  // npu-smi is there but answers with an error

  std::vector<Npu> npus{};
  std::vector<Gpu> gpus{};
  std::vector<OpsPackage> ops{};
  std::vector<Package> packages{};                 // sorted by name
  std::vector<std::string> site_folders{};         // of the active Python
  std::map<std::string, std::string> variables{};  // of the shell, as far as they matter

  bool is_described = false;      // told by a file, not read from a machine
  bool has_all_packages = false;  // what is not in `packages` is not installed
  bool has_all_ops = false;       // what is not in `ops` is not installed
  bool has_variables = false;     // what is not in `variables` is not set
  bool has_looked_for_npus = false;

  const Package* package(std::string_view name) const;
  std::vector<const Package*> packages_named(std::string_view name) const;
};

/// The single values by the names that files and tables use ("cann", "nvidia_driver").
using Field = std::pair<std::string_view, Found Environment::*>;
inline constexpr std::array<Field, 17> kFields = {{
    {"os", &Environment::os},
    {"os_version", &Environment::os_version},
    {"kernel", &Environment::kernel},
    {"arch", &Environment::arch},
    {"nvidia_driver", &Environment::nvidia_driver},
    {"cuda", &Environment::cuda},
    {"nvcc", &Environment::nvcc},
    {"driver", &Environment::driver},
    {"firmware", &Environment::firmware},
    {"npu_product", &Environment::npu_product},
    {"cann", &Environment::cann},
    {"cann_root", &Environment::cann_root},
    {"nnal", &Environment::nnal},
    {"python", &Environment::python},
    {"gcc", &Environment::gcc},
    {"cmake", &Environment::cmake},
    {"torch_cuda", &Environment::torch_cuda},
}};

/// A component by name: one of kFields, else an installed package. Unknown names are unknown
/// values.
Found component(const Environment& environment, std::string_view name);

}  // namespace godwit::doctor
