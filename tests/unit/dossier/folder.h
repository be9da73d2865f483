// A scratch folder that goes with its test, and short ways to fill and read it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/file.h"

namespace godwit::tests {

class Folder {
 public:
  Folder() {
    // Memory where there is one: a sync of each small file to a slow disk would be most of the
    // time.
    const std::filesystem::path memory = "/dev/shm";
    const bool has_memory = std::filesystem::is_directory(memory);
    const auto parent = has_memory ? memory : std::filesystem::temp_directory_path();
    std::string name = (parent / "godwit-test-XXXXXX").string();
    path = std::filesystem::canonical(::mkdtemp(name.data()));
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }

  void put(std::string_view name, std::string_view content) const {
    EXPECT_TRUE(write_file(path / std::string(name), content)) << name;
  }
  std::string get(std::string_view name) const {
    const auto text = read_file(path / std::string(name));
    return text ? *text : "<none>";
  }
  bool has(std::string_view name) const {
    return std::filesystem::exists(std::filesystem::symlink_status(path / std::string(name)));
  }

  std::filesystem::path path;
};

}  // namespace godwit::tests
