// Settings of a project: godwit.toml beside its sources, read by every command that takes a
// project.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace godwit::project {

/// What godwit.toml may say; the command line wins over each of them.
struct Settings {
  std::filesystem::path file{};        // empty: there is none
  std::string target{};                // as --to
  std::string mode{};                  // as --mode
  std::string torch_npu{};             // as --torch-npu
  std::vector<std::string> select{};   // codes, as --select
  std::vector<std::string> ignore{};   // codes, as --ignore
  std::vector<std::string> exclude{};  // globs, as --exclude
};

/// Reads godwit.toml of the folder, or of the folder that holds the file. Errors: E013 not TOML,
/// E076 an unknown key (nearest names), E077 a value of another type.
Result<Settings> read_settings(const std::filesystem::path& path);

}  // namespace godwit::project
