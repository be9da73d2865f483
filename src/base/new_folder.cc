// One rename or exchange of two names; where the place itself must stay, its entries are moved.
#include "base/new_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace godwit {
namespace {

namespace fs = std::filesystem;

fs::path whole_path(const fs::path& path) {
  std::error_code code;
  fs::path full = fs::weakly_canonical(fs::absolute(path, code), code);
  return full.has_filename() ? full : full.parent_path();
}

// The topmost folder that has to be made for `folder`; empty when it is there.
fs::path first_missing(const fs::path& folder) {
  std::error_code code;
  fs::path missing;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, code); at = at.parent_path())
    missing = at;
  return missing;
}

// A mount has no other name to be given, and a shell that stands in a folder would stay in the old
// one.
bool must_stay(const fs::path& folder) {
  std::error_code code;
  struct stat own {};
  struct stat above {};
  const bool is_mount = ::stat(folder.c_str(), &own) == 0 &&
                        ::stat(folder.parent_path().c_str(), &above) == 0 &&
                        own.st_dev != above.st_dev;
  const fs::path here = fs::current_path(code).lexically_relative(folder);
  return is_mount || folder == folder.root_path() || (!here.empty() && *here.begin() != "..");
}

// The mode of the folder that is replaced, or the usual one.
bool take_mode(int made, const fs::path& target) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  struct stat old {};
  const bool is_there = ::stat(target.c_str(), &old) == 0;
  return ::fchmod(made, is_there ? old.st_mode & 07777 : 0777 & ~mask) == 0;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    entries.push_back(at->path());
  return entries;
}

}  // namespace

bool is_empty_but_unfinished(const fs::path& folder) {
  for (const fs::path& entry : entries_of(folder)) {
    if (!is_unfinished_name(entry.filename().string())) return false;
  }
  return true;
}

Error NewFolder::named(Error error) const {
  const auto rename = [&](std::string& text) {
    text = replace_all(text, show_path(folder()), show_path(place_));
  };
  rename(error.place.file);
  for (auto& [name, text] : error.args) rename(text);
  return error;
}

Result<NewFolder> NewFolder::open(const fs::path& place) {
  NewFolder out;
  std::error_code code;
  out.place_ = place;
  out.target_ = whole_path(place);
  const fs::path above = out.target_.parent_path();
  const bool is_there = fs::exists(out.target_, code);
  if (is_there && !fs::is_directory(out.target_, code)) return write_failure(out.place_, ENOTDIR);
  out.parents_ = first_missing(above);
  fs::create_directories(above, code);
  if (code) return write_failure(out.place_, code.value());
  out.is_within_ = is_there && (must_stay(out.target_) || !out.made_.make_folder(above));
  if (!out.made_.is_open() && !out.made_.make_folder(out.is_within_ ? out.target_ : above))
    return write_failure(out.place_, errno);
  if (!take_mode(out.made_.fd(), out.target_)) return write_failure(out.place_, errno);
  return out;
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  made_.drop();
  if (parents_.empty()) return;
  fs::path at = target_.parent_path();
  while (fs::remove(at, ignored) && at != parents_) at = at.parent_path();
}

// What was there goes into the unfinished folder, from which the new entries come.
Status NewFolder::move_in() {
  std::error_code code;
  const std::vector<fs::path> fresh = entries_of(folder());
  const fs::path aside = folder() / fs::path(made_.path()).filename();
  fs::create_directory(aside, code);
  for (const fs::path& old : entries_of(target_)) {
    if (!code && old != folder()) fs::rename(old, aside / old.filename(), code);
  }
  for (const fs::path& entry : fresh) {
    if (!code) fs::rename(entry, target_ / entry.filename(), code);
  }
  return code ? write_failure(place_, code.value()) : Status();
}

// Not every file system can exchange two names: then there is a moment without a folder.
bool NewFolder::replace() {
  if (made_.exchange_with(target_)) return true;
  Unfinished old;
  if (!old.make_folder(target_.parent_path())) return false;
  if (std::rename(target_.c_str(), old.path().c_str()) != 0) return false;
  if (made_.rename_to(target_)) return true;
  const int code = errno;
  (void)std::rename(old.path().c_str(), target_.c_str());
  errno = code;
  return false;
}

Status NewFolder::commit() {
  if (is_within_) return move_in();
  const bool is_placed =
      made_.rename_to(target_) || ((errno == ENOTEMPTY || errno == EEXIST) && replace());
  if (!is_placed) return write_failure(place_, errno);
  parents_.clear();
  made_.drop();  // after an exchange, the old one
  return {};
}

}  // namespace godwit
