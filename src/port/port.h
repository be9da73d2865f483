// Port: takes a project from CUDA to the NPU by edits that are shown to be right, and can be
// undone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "diag/finding.h"
#include "facts/soc.h"
#include "port/changes.h"
#include "port/choices.h"
#include "project/files.h"

namespace godwit::port {

struct Options {
  facts::Target target{};
  std::string
      torch_npu{};  // an exact release, "2.1.0.post17"; empty: the newest that the tables know
  std::vector<std::string> exclude{};  // globs, as project::ListOptions
  std::uint32_t cards = 1;             // more: programs that train are taken to so many cards
  bool sync_batchnorm = false;         // with cards: BatchNorm sees the batches of all cards
  Float64 float64 = Float64::kAsk;
  Mode mode = Mode::kAuto;
  Style style = Style::kNpu;
  bool installed = false;       // name the places with CUDA inside imported packages (P054)
  bool lists_programs = false;  // Plan::programs, which takes a look at all calls
  Progress* progress = nullptr;
};

/// One file that changes, with what was checked after the edits.
struct FilePlan {
  std::string path;  // relative to the root
  std::string before, after;
  std::string before_sha256, after_sha256;
  std::vector<Change> changes;         // sorted, none overlapping
  std::vector<std::string> npu_lines;  // that the edits left and that name the NPU
  std::uint32_t tokens = 0;            // outside the edits, all found again at their places
  bool is_python = true;
  std::string merged{};  // with what a person changed in an earlier port; empty: nothing
  const std::string& written() const { return merged.empty() ? after : merged; }
  bool is_new = false;  // a module that the edits need: the project had no file of this name
};

struct Summary {
  std::uint32_t files = 0, changed_files = 0, lines = 0;
  std::uint32_t edits = 0;  // imports of torch_npu apart
  std::uint32_t imports = 0;
  std::uint32_t left = 0;   // places of warnings and errors: work for a person
  std::uint32_t notes = 0;  // places of notes
  bool trains = false;      // what it was ported for, as asked or found
};

/// A script that may be started, and the command line that does it.
struct Program {
  std::string path{};
  std::string folder{};              // below the root, where the line is typed; empty: the root
  std::vector<std::string> words{};  // "torchrun", "--nproc_per_node=2", "train.py"
};

/// What a newer upstream brought, against the record of the port before.
struct Reapplied {
  bool is_done = false;
  std::uint32_t kept = 0, added = 0, gone = 0;  // edits
  std::uint32_t hand = 0;                       // changes of a person that were taken over
  std::uint32_t conflicts = 0;                  // and those that were not: each is a finding
};

struct Plan {
  std::filesystem::path root;
  std::string torch_npu;
  std::vector<FilePlan> files;          // sorted by path
  std::vector<diag::Finding> findings;  // what is left for a person
  std::vector<project::File> listing;   // all files of the project, for write()
  Summary summary{};
  Reapplied reapplied{};
  std::vector<Program> programs{};  // with Options::lists_programs
};

/// The number behind --cards; 1 for an empty text. Errors: E118.
Result<std::uint32_t> parse_cards(const std::string& text);

/// Errors: those of project::open_project and of the tables; E110 the release is not known.
Result<Plan> plan(const std::filesystem::path& root, const Options& options);

/// A newer upstream of what was ported into `ported` (its record is needed): ported anew, with the
/// changes that a person made there since. What does not fit is a finding (P052); nothing is
/// written into either folder. Errors: those of plan(), E114 there is no record.
Result<Plan> reapply(const std::filesystem::path& ported, const std::filesystem::path& upstream,
                     const Options& options);

/// A unified diff of all changes, as `git apply` takes it.
std::string diff(const Plan& plan);

/// The whole project with the edits made, in `folder`, which must not be inside the project, and
/// the record that undo() and later runs on the copy read. A file that cannot be read is left out,
/// and a finding of the plan (P034) says so. On an error the folder is as it was. Errors: E111
/// inside or the same, E112 not empty, E005, E039 full, E129 interrupted.
Status write(Plan& plan, const std::filesystem::path& folder);

/// Makes the edits in the project itself and keeps what undo() needs in .godwit/port.json. On an
/// error every file is as it was. Errors: E113 a file has changed since plan(), E005.
Status write_in_place(const Plan& plan);

/// Takes back what the last write_in_place() did, or what write() did in its folder. Errors: E114
/// nothing to undo, E115 files were changed since (they are named; nothing is undone).
Result<std::uint32_t> undo(const std::filesystem::path& root);

/// The findings, figures and per-file proofs as a command delivers them.
diag::Outcome outcome(const Plan& plan);

}  // namespace godwit::port
