// Outputs: the files that stages leave in a dossier; putting them in place, and noticing what a
// person changed in them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dossier/manifest.h"

namespace godwit::dossier {

/// "stages/NAME.json": the outcome of a stage.
std::string outcome_file(std::string_view stage);
/// True when it lies in the dossier as the stage wrote it.
bool holds_outcome(const std::filesystem::path& out, const Record& record);

/// Every file below the folder with size and digest, sorted; links count as files.
std::vector<Output> list_outputs(const std::filesystem::path& folder);

/// What of a record is still there, by a look at names and sizes only.
struct Presence {
  bool all_there = true;
  std::vector<std::string> resized{};
};
Presence look_at(const std::filesystem::path& out, const Record& record);

/// Paths that would lose work of a person if the outputs of `record` were replaced: recorded files
/// with another content, and files beside them that no run has written.
std::vector<std::string> find_edits(const std::filesystem::path& out, const Record& record);

/// Moves such files to a new folder edited-N/, which is given. Errors: E005.
Result<std::filesystem::path> move_edits(const std::filesystem::path& out,
                                         const std::vector<std::string>& paths);

/// Moves what lies in `from` into the dossier; what it replaces, and entries of `before` that have
/// no successor, go to `old` first. Errors: E005.
Status put_in_place(const std::filesystem::path& from, const std::filesystem::path& out,
                    const std::filesystem::path& old, const Record& before);

}  // namespace godwit::dossier
