// Place: the folder of a dossier, checked so that nothing of the user is overwritten, and locked.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace godwit::dossier {

inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kOwnFolder = ".godwit";  // lock, record of seen files, work

/// `<name of subject>.godwit` in the current folder; beside the subject when the current folder is
/// the subject or lies in it.
std::filesystem::path default_place(const std::filesystem::path& subject);

/// True when the folder holds a manifest or our own folder: a dossier, finished or not.
bool is_dossier(const std::filesystem::path& folder);

class Place {
 public:
  /// Creates the folder when it is missing, and holds its lock until the object goes.
  /// Errors: E080 is the subject, E081 inside it, E082 the subject is inside, E083 other content,
  /// E084 not a folder, E085 a symbolic link, E086 not writable, E090 another run holds the lock.
  static Result<Place> claim(const std::filesystem::path& subject,
                             const std::filesystem::path& out);
  /// The folder of an earlier run. Errors: E092 not a dossier, E086, E090.
  static Result<Place> reopen(const std::filesystem::path& folder);
  Place(Place&& other) noexcept;
  Place& operator=(Place&&) = delete;
  ~Place();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path own(std::string_view name) const { return folder_ / kOwnFolder / name; }
  /// Removes the folder again if claim() made it: for a run that failed before its first result.
  void abandon();

 private:
  Place() = default;
  Status lock(const std::filesystem::path& subject);
  std::filesystem::path folder_;
  int lock_ = -1;
  bool is_new_ = false;
};

}  // namespace godwit::dossier
