// Files that a test lays down before the doctor looks.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace godwit::doctor {

/// Writes a file and the folders above it.
inline void write(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace godwit::doctor
