// Migrate: runs the stages that are out of date and keeps the dossier whole at every moment.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dossier/manifest.h"
#include "dossier/stage.h"

namespace godwit::dossier {

enum class State : std::uint8_t { kStarted, kCommitting, kRan, kKept, kSkipped };

struct Request {
  std::filesystem::path path;
  std::filesystem::path out;  // empty: default_place(path)
  Options options{};
  std::string command{};    // the command line, for the manifest
  bool keep_edits = false;  // move files that were changed by hand to edited-N/ instead of stopping
  /// Called as each stage starts, is about to be put in place, and ends; the record is there once
  /// it has ended.
  std::function<void(const Stage&, State, const Record*)> watch{};
};

struct Dossier {
  std::filesystem::path folder;
  Manifest manifest;
  std::vector<std::pair<std::string, State>> stages;  // kRan, kKept or kSkipped
  std::vector<std::string> edited;  // outputs of kept stages that were changed by hand
  std::filesystem::path moved_to;   // where edited files went, or empty
};

/// Errors: those of open_subject, Place::claim, the stages; E087 the dossier is of another subject;
/// E088 its manifest cannot be used; E089 files changed by hand would be replaced. Stages that were
/// done before an error stay done.
Result<Dossier> migrate(const Request& request, std::span<const Stage* const> stages = kStages);

}  // namespace godwit::dossier
