// The checks run before anything is written; the lock is the kernel's, so a killed run frees it.
#include "dossier/place.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "dossier/subject.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
namespace {

fs::path resolved(const fs::path& path) {
  std::error_code code;
  fs::path full = fs::weakly_canonical(fs::absolute(path, code), code);
  return full.has_filename() ? full : full.parent_path();
}

bool is_inside(const fs::path& inner, const fs::path& outer) {
  const auto [end, _] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end() && inner != outer;
}

tl::unexpected<Error> refuse(std::string_view code, const fs::path& out, const fs::path& subject,
                             std::string_view reason = {}) {
  return fail(code, {.file = show_path(out)},
              {{"out", show_path(out)},
               {"path", show_path(subject)},
               {"default", show_path(default_place(subject))},
               {"reason", std::string(reason)}});
}

Status check_relation(const fs::path& subject, const fs::path& out) {
  const fs::path from = resolved(subject), to = resolved(out);
  if (from == to) return refuse("E080", out, subject);
  if (is_inside(to, from)) return refuse("E081", out, subject);
  if (is_inside(from, to) && is_dossier(to)) return refuse("E082", out, subject);
  return {};
}

// Every run writes into stages/; behind a link it would write somewhere else. Links in the place of
// results are moved aside as edits.
Status check_links(const fs::path& subject, const fs::path& out) {
  std::error_code code;
  const fs::path stages = out / "stages";
  return fs::is_symlink(stages, code) ? refuse("E085", stages, subject) : Status();
}

Status check_content(const fs::path& subject, const fs::path& out) {
  std::error_code code;
  fs::path bare = out.has_filename() ? out : out.parent_path();  // "out/" would hide a link
  const fs::file_status status = fs::symlink_status(bare, code);
  if (fs::is_symlink(status)) return refuse("E085", out, subject);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) return refuse("E084", out, subject);
  const fs::directory_iterator entries(bare, code);
  if (code) return refuse("E086", out, subject, code.message());
  if (entries != fs::directory_iterator() && !is_dossier(bare)) return refuse("E083", out, subject);
  const fs::file_status own = fs::symlink_status(bare / kOwnFolder, code);
  if (fs::exists(own) && !fs::is_directory(own)) return refuse("E085", bare / kOwnFolder, subject);
  return check_links(subject, bare);
}

}  // namespace

fs::path default_place(const fs::path& subject) {
  std::error_code code;
  const fs::path full = resolved(subject), here = resolved(fs::current_path(code));
  const std::string name = subject_name(subject) + ".godwit";
  return here == full || is_inside(here, full) ? full.parent_path() / name : fs::path(name);
}

// Other tools write a manifest.json too, so ours must say that it is ours. A first run that was
// killed leaves our own folder and nothing else.
bool is_dossier(const fs::path& folder) {
  constexpr std::string_view kMark = "\"tool\": \"godwit\"";
  std::error_code code;
  if (fs::is_regular_file(fs::symlink_status(folder / kManifestFile, code))) {
    const auto text = read_file(folder / kManifestFile);
    return text && contains(std::string_view(*text).substr(0, 256), kMark);
  }
  std::size_t own = 0, others = 0;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    ++(at->path().filename() == kOwnFolder ? own : others);
  }
  return own == 1 && others == 0;
}

Result<Place> Place::claim(const fs::path& subject, const fs::path& out) {
  TRY(check_relation(subject, out));
  TRY(check_content(subject, out));
  Place place;
  place.folder_ = out;
  TRY(place.lock(subject));
  return place;
}

Result<Place> Place::reopen(const fs::path& folder) {
  std::error_code code;
  const fs::file_status own = fs::symlink_status(folder / kOwnFolder, code);
  if (!is_dossier(folder)) return refuse("E092", folder, folder);
  if (fs::exists(own) && !fs::is_directory(own)) return refuse("E085", folder / kOwnFolder, folder);
  TRY(check_links(folder, folder));
  Place place;
  place.folder_ = folder;
  TRY(place.lock(folder));
  return place;
}

Status Place::lock(const fs::path& subject) {
  std::error_code code;
  is_new_ = !fs::exists(folder_, code);
  fs::create_directories(folder_ / kOwnFolder, code);
  if (!code) {
    lock_ = ::open(own("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (lock_ < 0) code.assign(errno, std::generic_category());
  }
  if (code) {
    abandon();
    return refuse("E086", folder_, subject, code.message());
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) return refuse("E090", folder_, subject);
  return {};
}

void Place::abandon() {
  std::error_code ignored;
  if (!is_new_) return;
  fs::remove_all(folder_ / kOwnFolder, ignored);
  fs::remove(folder_, ignored);  // only when nobody put something else there
}

Place::Place(Place&& other) noexcept
    : folder_(std::move(other.folder_)),
      lock_(std::exchange(other.lock_, -1)),
      is_new_(other.is_new_) {}

Place::~Place() {
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace godwit::dossier
