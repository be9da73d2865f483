// Starts a command in which every Python process has the emulated device.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace godwit::emulate {

/// The Python that a command will run, and what is installed for it.
struct Python {
  std::string program{};            // "/usr/bin/python3"
  std::string torch{};              // "2.13.0+cpu"
  std::filesystem::path package{};  // folder of the Python package godwit
  bool finds_package = false;       // without our help
};

/// What the command gets: an emulated device, which cannot live beside the real torch_npu, or only
/// somebody who watches.
enum class Purpose : std::uint8_t { kDevice, kRecord };

/// Finds the interpreter behind `command` (python itself, the first line of a script such as
/// torchrun, else python3 of PATH) and asks it. Errors: E244 torch is missing, E245 torch is too
/// old, E246 the real torch_npu is installed (kDevice), E247 the Python package godwit is not
/// found, E014.
Result<Python> find_python(const std::vector<std::string>& command,
                           Purpose purpose = Purpose::kDevice);

/// Writes the profile where it stays as long as the command may start processes, named by its
/// content: the same device gives the same file. Errors: E005.
Result<std::filesystem::path> keep_profile(const Json& profile);

/// Becomes the command, with `variables` in its environment (GODWIT_EMULATE, GODWIT_RECORD …),
/// which python/godwit/startup reads in every Python process. Returns only when it cannot be
/// started. Errors: E014.
Status launch(const std::vector<std::string>& command, const Args& variables, const Python& python);

/// Path of this very program; empty where the system does not tell.
std::filesystem::path own_path();

}  // namespace godwit::emulate
