// What becomes of a plan: a diff, a ported copy, or edits in place.
#include <algorithm>
#include <optional>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "base/new_folder.h"
#include "port/interrupts.h"
#include "port/journal.h"
#include "port/port.h"
#include "port/rewrite.h"
#include "port/unread.h"

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
Status write_like(const fs::path& original, const fs::path& target, std::string_view content) {
  std::error_code code;
  const fs::perms mode = fs::status(original, code).permissions();
  TRY(write_file(target, content, Sync::kLater));
  if (!code) fs::permissions(target, mode, code);
  return {};
}

// Gives the reason when the file cannot be read; an Error of its own when it cannot be written.
Result<std::optional<Error>> copy_as_is(const fs::path& from, const fs::path& to) {
  const auto read = MappedFile::open(from);
  if (!read) return read.error();
  TRY(write_like(from, to, read->bytes()));
  return std::nullopt;
}

// One finding per file: one that was not read for its edits is not copied either.
void add_left_out(Plan& plan, const std::string& path, const Error& reason) {
  Error shown = reason;
  shown.place = {.file = show_path(path)};
  const diag::Finding finding = unread(shown, "not_copied");
  const auto known =
      std::find_if(plan.findings.begin(), plan.findings.end(), [&](const diag::Finding& each) {
        return each.code == finding.code && each.place.file == finding.place.file;
      });
  if (known != plan.findings.end()) {
    *known = finding;
  } else {
    plan.findings.push_back(finding);
    ++plan.summary.left;
  }
}

Status write_new_files(const Plan& plan, const fs::path& folder) {
  for (const FilePlan& file : plan.files) {
    if (file.is_new) TRY(write_file(folder / file.path, file.after, Sync::kLater));
  }
  return {};
}

Status write_files(Plan& plan, const fs::path& folder, const Interrupts& interrupts) {
  for (const project::File& file : plan.listing) {
    TRY(interrupts.check());
    const FilePlan* const changed = find_file(plan, file.path);
    const fs::path from = plan.root / file.path, to = folder / file.path;
    if (changed) {
      TRY(write_like(from, to, changed->written()));
    } else {
      ASSIGN(const std::optional<Error> unreadable, copy_as_is(from, to));
      if (unreadable) add_left_out(plan, file.path, *unreadable);
    }
  }
  return write_new_files(plan, folder);
}

Status rewrite_files(const Plan& plan, const Interrupts& interrupts) {
  for (const FilePlan& file : plan.files) {
    TRY(interrupts.check());
    if (!file.is_new) TRY(rewrite(plan.root / file.path, file.before, file.after));
  }
  return write_new_files(plan, plan.root);
}

Status check_target(const fs::path& root, const fs::path& folder) {
  std::error_code code;
  const fs::path source = fs::weakly_canonical(root, code),
                 target = fs::weakly_canonical(folder, code);
  const auto [end, _] = std::mismatch(source.begin(), source.end(), target.begin(), target.end());
  const Args args = {{"folder", show_path(folder)}, {"project", show_path(root)}};
  if (end == source.end()) return fail("E111", {.file = show_path(folder)}, args);
  if (fs::exists(folder, code) && !is_empty_but_unfinished(folder))
    return fail("E112", {.file = show_path(folder)}, args);
  return {};
}

}  // namespace

std::string diff(const Plan& plan) {
  std::string all;
  for (const FilePlan& file : plan.files) {
    all +=
        syntax::unified_diff(file.is_new ? "" : file.path, file.before, file.path, file.written());
  }
  return all;
}

Status write(Plan& plan, const fs::path& folder) {
  TRY(check_target(plan.root, folder));
  const Interrupts interrupts;
  ASSIGN(NewFolder made, NewFolder::open(folder));
  Status done = write_files(plan, made.folder(), interrupts);
  if (done && !plan.files.empty()) done = record(plan, made.folder());
  return done ? made.commit() : tl::unexpected(made.named(done.error()));
}

Status write_in_place(const Plan& plan) {
  if (plan.files.empty()) return {};
  for (const FilePlan& file : plan.files) {
    std::error_code code;
    if (file.is_new && fs::exists(plan.root / file.path, code))
      return fail("E113", {.file = file.path}, {{"path", file.path}});
    if (file.is_new) continue;
    ASSIGN(const std::string now, read_file(plan.root / file.path));
    if (sha256(now) != file.before_sha256)
      return fail("E113", {.file = file.path}, {{"path", file.path}});
  }
  // The record first: whatever happens then can be taken back.
  const Interrupts interrupts;
  TRY(record(plan, plan.root));
  Status done = rewrite_files(plan, interrupts);
  if (!done) (void)undo(plan.root);  // should that fail too, the record still tells how
  return done;
}

}  // namespace godwit::port
