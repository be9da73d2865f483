// Folders of results: they appear when all that belongs into them is written.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "base/unfinished.h"

namespace godwit {

/// Made beside its place, and put there by `commit`; until then an old folder of that name stays
/// as it is. One that goes away before leaves nothing behind, nor the parents that were made.
class NewFolder {
 public:
  /// Creates parent folders. Errors: E005.
  static Result<NewFolder> open(const std::filesystem::path& place);
  NewFolder(NewFolder&&) noexcept = default;
  NewFolder& operator=(NewFolder&&) = delete;
  ~NewFolder();

  /// Where to write to.
  std::filesystem::path folder() const { return made_.path(); }
  /// `error` with the names that files will have.
  Error named(Error error) const;
  /// The old folder and all that it holds is gone then.
  Status commit();

 private:
  NewFolder() = default;
  Status move_in();
  bool replace();

  std::filesystem::path place_;    // as asked for, for messages
  std::filesystem::path target_;   // behind links
  std::filesystem::path parents_;  // the topmost folder that was made for it, until it is whole
  Unfinished made_;
  bool is_within_ = false;  // made_ lies in the target, which itself cannot be replaced
};

/// Whether nothing lies in `folder` but what a killed run left there.
bool is_empty_but_unfinished(const std::filesystem::path& folder);

}  // namespace godwit
