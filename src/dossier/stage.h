// Stages: the steps of `godwit migrate`, one file each in stages/.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diag/finding.h"
#include "dossier/manifest.h"
#include "dossier/subject.h"

namespace godwit::dossier {

/// What the user chose, by the name of the option without dashes: "to", "mode", "lang" …
using Options = std::map<std::string, std::string, std::less<>>;

/// What a stage may look at, and where it may write.
struct Context {
  const Subject& subject;
  const Options& options;
  const Manifest& manifest;      // records of the stages before
  std::filesystem::path folder;  // empty; every file here becomes a file of the dossier
  /// The outcome of an earlier stage, from memory or from the dossier; null when it did not apply.
  std::function<const diag::Outcome*(std::string_view stage)> outcome;

  std::string option(std::string_view name) const;
};

struct Stage {
  std::string_view name;
  int order = 0;     // steps of ten, so that a later stage fits between
  int revision = 1;  // grows when the stage does other work from the same inputs

  // What it reads: all of it, and nothing else, is part of its key.
  std::vector<std::string_view> options = {};
  std::vector<std::string_view> after = {};        // stages it reads; "*": all others
  bool (*reads)(const project::File&) = nullptr;   // files of the subject; null: none
  std::string (*facts)(const Context&) = nullptr;  // anything else, as text

  bool (*applies)(const Subject&) = nullptr;         // null: always
  std::string (*command)(const Context&) = nullptr;  // the same work as a command of its own
  Result<diag::Outcome> (*run)(const Context&) = nullptr;
};

extern const std::span<const Stage* const> kStages;

/// The release of torch_npu that all stages judge and port for: what was asked for, else what the
/// environment check recommends, or the nearest that the tables know; empty when neither says.
std::string torch_npu_release(const Context& context);

/// A command line of a stage, with the release that it takes.
void add_release(std::vector<std::string>& words, const Context& context);

/// Words as a shell takes them: those with other characters than plain ones are quoted.
std::string command_line(const std::vector<std::string>& words);

}  // namespace godwit::dossier
