// Machine: where readers look. This machine, or a copied tree of another one in which nothing is
// run and the outputs of programs stand in files: DIR/commands/npu-smi info, DIR/commands/env.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace godwit::doctor {

class Machine {
 public:
  /// The machine that this program runs on.
  static Machine here();
  /// A copied tree. Links in it, absolute ones too, are followed inside the tree only.
  static Machine copy(const std::filesystem::path& root);

  /// Text of a file by its absolute path on that machine, made valid UTF-8; at most 4 MiB.
  std::optional<std::string> read(std::string_view path) const;
  /// Names in a folder, sorted; nothing when it is not there.
  std::vector<std::string> list(std::string_view folder) const;
  bool is_folder(std::string_view path) const;
  /// The path behind all links, as that machine sees it; empty when it leads nowhere.
  std::string real_path(std::string_view path) const;

  /// What a program prints, made valid UTF-8; nothing when it is missing, fails to start or hangs.
  std::optional<std::string> output(const std::vector<std::string>& command) const;
  /// A variable of the shell; empty when not set.
  std::string variable(std::string_view name) const;
  bool knows_variables() const { return knows_variables_; }
  std::string home() const;

 private:
  std::optional<std::filesystem::path> locate(std::string_view path) const;

  std::filesystem::path root_ = "/";
  bool is_here_ = false;
  bool knows_variables_ = false;
  std::map<std::string, std::string, std::less<>> variables_;  // of a copied tree
};

/// `key=value` (or `key : value`) of a version file: the first line with that key, any case; blanks
/// and quotes around the value are taken off. Empty when there is none.
std::string value_of(std::string_view text, std::string_view key, char separator = '=');

}  // namespace godwit::doctor
