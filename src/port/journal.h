// Journal: what was edited, kept beside the result so that it can be taken back without git, and so
// that a later run knows which NPU code Godwit itself wrote.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "port/port.h"

namespace godwit::port {

/// .godwit/port.json below the root of a project: one run after the other, newest last.
std::filesystem::path journal_path(const std::filesystem::path& root);

/// Adds the plan as a run to the journal of the project and writes it into `folder`, where the
/// edited files are. Errors: E005, E012 a damaged journal.
Status record(const Plan& plan, const std::filesystem::path& folder);

/// What the runs of a port did to one file, oldest first.
struct RecordedFile {
  struct Step {
    std::string before{}, after{};
  };
  std::vector<Step> steps{};
  std::vector<std::string> edits{};  // "rule\nold\nnew"
  bool is_new = false;               // a helper that the port brought
};

struct Record {
  std::map<std::string, RecordedFile, std::less<>> files{};
  std::map<std::string, std::string, std::less<>> others{};  // hashes of sources left alone
};

/// Errors: E012 a damaged journal.
Result<Record> read_record(const std::filesystem::path& root);

/// Lines that earlier runs left behind their edits and how often, by file. A journal that cannot be
/// read counts as none: what is not known to be ours is a person's.
using LineCounts = std::map<std::string, std::size_t, std::less<>>;
using WrittenLines = std::map<std::string, LineCounts, std::less<>>;
WrittenLines written_lines(const std::filesystem::path& root);

}  // namespace godwit::port
