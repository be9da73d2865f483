// What becomes of a plan: a diff, a ported copy, or edits in place.
#include <algorithm>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "port/journal.h"
#include "port/port.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

const FilePlan* find_file(const Plan& plan, const std::string& path) {
  const auto found = std::lower_bound(
      plan.files.begin(), plan.files.end(), path,
      [](const FilePlan& file, const std::string& key) { return file.path < key; });
  return found != plan.files.end() && found->path == path ? &*found : nullptr;
}

// The content is new, the permissions stay: scripts remain executable.
Status write_like(const fs::path& original, const fs::path& target, const std::string& content,
                  Sync sync) {
  std::error_code code;
  const fs::perms mode = fs::status(original, code).permissions();
  TRY(write_file(target, content, sync));
  if (!code) fs::permissions(target, mode, code);
  return {};
}

Status copy_as_is(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::create_directories(to.parent_path(), code);
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, code);
  if (code)
    return fail("E005", {.file = show_path(to)},
                {{"path", show_path(to)}, {"reason", code.message()}});
  return {};
}

Status check_target(const fs::path& root, const fs::path& folder) {
  std::error_code code;
  const fs::path source = fs::weakly_canonical(root, code),
                 target = fs::weakly_canonical(folder, code);
  const auto [end, _] = std::mismatch(source.begin(), source.end(), target.begin(), target.end());
  const Args args = {{"folder", show_path(folder)}, {"project", show_path(root)}};
  if (end == source.end()) return fail("E111", {.file = show_path(folder)}, args);
  if (fs::exists(folder, code) && !fs::is_empty(folder, code))
    return fail("E112", {.file = show_path(folder)}, args);
  return {};
}

}  // namespace

std::string diff(const Plan& plan) {
  std::string all;
  for (const FilePlan& file : plan.files) {
    all += syntax::unified_diff(file.path, file.before, file.path, file.after);
  }
  return all;
}

Status write(const Plan& plan, const fs::path& folder) {
  TRY(check_target(plan.root, folder));
  for (const project::File& file : plan.listing) {
    const FilePlan* const changed = find_file(plan, file.path);
    const fs::path from = plan.root / file.path, to = folder / file.path;
    if (changed) {
      TRY(write_like(from, to, changed->after, Sync::kLater));
    } else {
      TRY(copy_as_is(from, to));
    }
  }
  return {};
}

Status write_in_place(const Plan& plan) {
  if (plan.files.empty()) return {};
  for (const FilePlan& file : plan.files) {
    ASSIGN(const std::string now, read_file(plan.root / file.path));
    if (sha256(now) != file.before_sha256)
      return fail("E113", {.file = file.path}, {{"path", file.path}});
  }
  // The record first: whatever happens then can be taken back.
  TRY(record(plan));
  for (const FilePlan& file : plan.files) {
    TRY(write_like(plan.root / file.path, plan.root / file.path, file.after, Sync::kDisk));
  }
  return {};
}

}  // namespace godwit::port
