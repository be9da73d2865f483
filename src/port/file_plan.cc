// Settles overlaps, drops what lies in broken regions, applies, and checks the result.
#include "port/file_plan.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "port/cells.h"
#include "port/helper_places.h"
#include "port/verify.h"

namespace godwit::port {
namespace {

diag::Finding refused(const Change& change, std::string_view code) {
  return {.code = std::string(code),
          .severity = diag::Severity::kWarning,
          .place = change.place,
          .args = {{"rule", change.edit.rule}, {"text", change.edit.text}},
          .variant = "left"};
}

// Sorted, equal ones once; of two that overlap the later is refused.
void settle(std::vector<Change>& changes, std::vector<diag::Finding>& left) {
  const auto key = [](const Change& c) { return std::tie(c.edit.begin, c.edit.end); };
  std::stable_sort(changes.begin(), changes.end(),
                   [&](const Change& a, const Change& b) { return key(a) < key(b); });
  std::vector<Change> kept;
  for (Change& change : changes) {
    const syntax::Edit* const last = kept.empty() ? nullptr : &kept.back().edit;
    const bool is_same = last && last->begin == change.edit.begin && last->end == change.edit.end &&
                         last->text == change.edit.text;
    if (is_same) continue;
    if (last && change.edit.end <= last->end && last->text.empty() && last->begin < last->end) {
      continue;  // of text that another rule takes away
    }
    if (last && change.edit.begin < last->end) {
      left.push_back(refused(change, "P028"));
    } else {
      kept.push_back(std::move(change));
    }
  }
  changes = std::move(kept);
}

// What lies in a region that does not parse is not edited: its meaning is not known.
void drop_in_errors(const Subject& subject, std::vector<Change>& changes,
                    std::vector<diag::Finding>& left) {
  for (const NodeIndex error : subject.tree().errors()) {
    const syntax::Node& region = subject[error];
    const auto past = std::remove_if(changes.begin(), changes.end(), [&](const Change& change) {
      return change.edit.begin < region.end && change.edit.end > region.begin;
    });
    if (past == changes.end()) continue;
    Changes own("P027", diag::Severity::kWarning, changes, left);
    own.leave(subject, error, "left", {{"count", std::to_string(changes.end() - past)}});
    changes.erase(past, changes.end());
  }
}

std::vector<syntax::Edit> edits_of(const std::vector<Change>& changes) {
  std::vector<syntax::Edit> edits;
  edits.reserve(changes.size());
  for (const Change& change : changes) edits.push_back(change.edit);
  return edits;
}

// The lines with edits, where they name the NPU. What a person changes in one makes it theirs.
std::vector<std::string> npu_lines(const std::string& path, const std::string& text,
                                   const std::vector<Change>& changes) {
  std::vector<std::string> lines;
  const Result<syntax::Source> after = syntax::Source::make(path, text);
  if (!after) return lines;
  std::int64_t shift = 0;
  std::uint32_t done = 0;
  for (const Change& change : changes) {
    const auto begin = static_cast<std::uint32_t>(change.edit.begin + shift);
    const auto length = static_cast<std::uint32_t>(change.edit.text.size());
    shift += static_cast<std::int64_t>(length) - (change.edit.end - change.edit.begin);
    const std::uint32_t last = after->place(begin + std::max(length, 1U) - 1).line;
    for (std::uint32_t n = std::max(done + 1, after->place(begin).line); n <= last; ++n) {
      const std::string line = after->line(n);
      if (contains(to_lower(line), "npu")) lines.emplace_back(trim(line));
      done = n;
    }
  }
  return lines;
}

Result<FilePlan> make(const std::string& path, std::string before, std::vector<Change> changes) {
  FilePlan file{.path = path, .before = std::move(before), .changes = std::move(changes)};
  ASSIGN(file.after, syntax::apply(file.before, edits_of(file.changes)));
  file.before_sha256 = sha256(file.before);
  file.after_sha256 = sha256(file.after);
  return file;
}

// The check failed: a fault of a rule. The file stays as it is and every edit is said.
void withdraw(const std::vector<Change>& changes, std::vector<diag::Finding>& left) {
  for (const Change& change : changes) left.push_back(refused(change, "P029"));
}

Status finish_python(const Subject& subject, std::vector<Change> changes, Planned& planned) {
  const syntax::Source& source = subject.module().source();
  ASSIGN(FilePlan file, make(source.path(), std::string(source.bytes()), std::move(changes)));
  ASSIGN(const Verification checked,
         verify_python(source, subject.tree(), file.after, edits_of(file.changes)));
  file.tokens = checked.tokens;
  file.npu_lines = npu_lines(file.path, file.after, file.changes);
  if (checked.holds()) {
    planned.file = std::move(file);
  } else {
    withdraw(file.changes, planned.left);
  }
  return {};
}

// Edits that cannot be said in the JSON are left, each with its place.
std::vector<Change> to_json(const Subject& subject, std::vector<Change>& changes,
                            std::vector<diag::Finding>& left) {
  std::vector<Change> in_file, in_text;
  for (Change& change : changes) {
    const auto edit = edit_of_json(subject.module(), change.edit);
    if (!edit) {
      left.push_back(refused(change, "P023"));
      continue;
    }
    in_text.push_back(change);
    in_file.push_back(std::move(change));
    in_file.back().edit = *edit;
  }
  changes = std::move(in_text);
  return in_file;
}

// The cells are checked as Python, the file around them byte for byte, and the notebook is read
// again: its cells must be the text that was checked.
Status finish_notebook(const Subject& subject, const project::Listing& listing,
                       std::vector<Change> changes, Planned& planned) {
  const syntax::Source& source = subject.module().source();
  std::vector<Change> in_file = to_json(subject, changes, planned.left);
  if (in_file.empty()) return {};
  ASSIGN(const std::string text, syntax::apply(source.bytes(), edits_of(changes)));
  ASSIGN(const Verification checked,
         verify_python(source, subject.tree(), text, edits_of(changes)));
  ASSIGN(std::string json, read_file(listing.root / source.path()));
  ASSIGN(FilePlan file, make(source.path(), std::move(json), std::move(in_file)));
  const Result<project::Notebook> again = project::read_notebook(file.path, file.after);
  file.tokens = checked.tokens;
  file.npu_lines = npu_lines(file.path, text, changes);
  if (checked.holds() && again && again->text == text &&
      bytes_equal_outside(file.before, file.after, edits_of(file.changes))) {
    planned.file = std::move(file);
  } else {
    withdraw(changes, planned.left);
  }
  return {};
}

}  // namespace

Result<Planned> plan_module(const Subject& subject, World& world, const Dispatch& dispatch) {
  Planned planned{.lines = subject.module().source().line_count()};
  if (is_helper_text(subject.module().source().bytes())) return planned;
  std::vector<Change> changes;
  run_rules(subject, world, dispatch, changes, planned.left);
  drop_in_errors(subject, changes, planned.left);
  settle(changes, planned.left);
  if (changes.empty()) return planned;
  std::set<Helper> helpers;
  for (const Change& change : changes) helpers.insert(change.helper);
  if (subject.module().file().kind == project::FileKind::kNotebook) {
    TRY(finish_notebook(subject, world.project.listing, std::move(changes), planned));
  } else {
    TRY(finish_python(subject, std::move(changes), planned));
  }
  helpers.erase(Helper::kNone);
  for (const Helper helper : planned.file ? helpers : std::set<Helper>())
    planned.helpers.emplace(world.helpers.place(subject, helper).path, helper);
  return planned;
}

Result<Planned> plan_script(const Script& script, World& world, const Dispatch& dispatch) {
  Planned planned{.lines = script.source().line_count()};
  std::vector<Change> changes;
  run_rules(script, world, dispatch, changes, planned.left);
  settle(changes, planned.left);
  if (changes.empty()) return planned;
  ASSIGN(FilePlan file,
         make(script.source().path(), std::string(script.source().bytes()), std::move(changes)));
  file.is_python = false;
  file.npu_lines = npu_lines(file.path, file.after, file.changes);
  if (bytes_equal_outside(file.before, file.after, edits_of(file.changes)))
    planned.file = std::move(file);
  return planned;
}

}  // namespace godwit::port
