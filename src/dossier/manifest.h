// Manifest: what a dossier was made from, by which program and commands, and what lies in it;
// enough for someone else to make it again and compare.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "diag/finding.h"
#include "dossier/subject.h"

namespace godwit::dossier {

struct Output {
  std::string path;  // relative to the dossier
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// What one stage did. An empty key: the stage was being written when the run ended; `outputs` then
/// lists what may lie there, before and after.
struct Record {
  std::string stage{};
  std::string key{};
  std::string command{};                  // the same work as a command of its own
  double seconds = 0;                     // never part of a key
  bool applies = true;                    // false: nothing for this stage in such a subject
  std::array<std::size_t, 3> findings{};  // kinds (diag::Counts)
  std::vector<Output> outputs{};
  Json figures = Json::object();

  /// Hash of what the stage left; part of the keys of stages that read it.
  std::string result() const;
};

struct Manifest {
  static constexpr int kForm = 1;

  std::string version{};  // of the program
  std::string data{};     // SHA-256 of the tables
  std::string command{};  // as it was given
  Json options = Json::object();
  std::string subject{};  // name, not the path: the dossier travels
  std::vector<std::string> kinds{};
  std::vector<Input> inputs{};
  std::vector<Record> records{};  // in the order of the stages

  const Record* find(std::string_view stage) const;
  /// Replaces the record of the same stage, or adds one.
  void put(Record record);
  void drop(std::string_view stage);
};

Json to_document(const Manifest& manifest);

/// Errors: E001 none there; E088 damaged, or of a newer form.
Result<Manifest> read_manifest(const std::filesystem::path& folder);
/// Errors: E005.
Status write_manifest(const Manifest& manifest, const std::filesystem::path& folder);

}  // namespace godwit::dossier
