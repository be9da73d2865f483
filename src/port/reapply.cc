// A newer upstream is ported anew; what a person changed in the ported tree since then is merged
// into the result. The record of the old port tells both apart.
#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "port/journal.h"
#include "port/port.h"
#include "syntax/merge.h"
#include "syntax/tree.h"

namespace godwit::port {
namespace {

namespace fs = std::filesystem;

diag::Finding finding(const std::string& path, std::uint32_t line, std::string_view variant,
                      diag::Severity severity, Args args = {}) {
  return {.code = "P052",
          .severity = severity,
          .place = {.file = path, .line = line, .column = 1},
          .args = std::move(args),
          .variant = std::string(variant)};
}

// Rule, old and new text: what makes two edits of different texts the same one.
using Edits = std::multiset<std::string>;

Edits edits_of(const FilePlan& file) {
  Edits edits;
  for (const Change& change : file.changes) {
    const syntax::Edit& edit = change.edit;
    edits.insert(format("{}\n{}\n{}", edit.rule,
                        file.before.substr(edit.begin, edit.end - edit.begin), edit.text));
  }
  return edits;
}

std::size_t shared(const Edits& a, const Edits& b) {
  Edits both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both.size();
}

bool still_parses(const std::string& path, const std::string& before, const std::string& after) {
  if (!path.ends_with(".py")) return true;
  const auto old = syntax::Source::make(path, before), now = syntax::Source::make(path, after);
  if (!old || !now) return false;
  return syntax::Tree::parse_python(*now).errors().size() <=
         syntax::Tree::parse_python(*old).errors().size();
}

class Reapplication {
 public:
  Reapplication(Plan& plan, const fs::path& ported, const Record& record)
      : plan_(plan), ported_(ported), record_(record) {}

  Status run() {
    for (FilePlan& file : plan_.files) {
      if (!file.is_new) TRY(take_over(file));
    }
    TRY(take_over_unedited());
    say_what_is_gone();
    return {};
  }

 private:
  Result<std::string> now(const std::string& path) const { return read_file(ported_ / path); }

  void count_edits(const FilePlan& file, const RecordedFile& old) {
    const Edits before(old.edits.begin(), old.edits.end()), after = edits_of(file);
    const std::size_t kept = shared(before, after);
    plan_.reapplied.kept += static_cast<std::uint32_t>(kept);
    plan_.reapplied.added += static_cast<std::uint32_t>(after.size() - kept);
    plan_.reapplied.gone += static_cast<std::uint32_t>(before.size() - kept);
  }

  // The changes of a person: between the runs of the old port, and since the last one.
  Status take_over(FilePlan& file) {
    const auto known = record_.files.find(file.path);
    if (known == record_.files.end()) {
      plan_.reapplied.added += static_cast<std::uint32_t>(file.changes.size());
      return check_unrecorded(file.path);
    }
    count_edits(file, known->second);
    std::string text = file.after;
    const auto& steps = known->second.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Result<std::string> next =
          i + 1 < steps.size() ? Result<std::string>(steps[i + 1].before) : now(file.path);
      if (!next || *next == steps[i].after) continue;
      merge_into(text, steps[i].after, *next, file.path);
    }
    if (text == file.after) return {};
    if (still_parses(file.path, file.after, text)) {
      file.merged = std::move(text);
    } else {
      plan_.findings.push_back(finding(file.path, 1, "breaks", diag::Severity::kError));
      ++plan_.reapplied.conflicts;
    }
    return {};
  }

  void merge_into(std::string& text, const std::string& base, const std::string& ours,
                  const std::string& path) {
    syntax::Merged merged = syntax::merge(base, ours, text);
    plan_.reapplied.hand += merged.taken;
    plan_.reapplied.conflicts += static_cast<std::uint32_t>(merged.conflicts.size());
    for (const syntax::Conflict& conflict : merged.conflicts) {
      const std::string_view first =
          std::string_view(conflict.ours)
              .substr(0, std::min(conflict.ours.find('\n'), conflict.ours.size()));
      plan_.findings.push_back(finding(path, conflict.line, "conflict", diag::Severity::kError,
                                       {{"line", std::string(trim(first))}}));
    }
    text = std::move(merged.text);
  }

  // The port left the file alone, so there is no old text: a change by hand can only be named.
  Status check_unrecorded(const std::string& path) {
    const auto hash = record_.others.find(path);
    const Result<std::string> text = now(path);
    if (hash == record_.others.end() || !text || sha256(*text) == hash->second) return {};
    ASSIGN(const std::string upstream, read_file(plan_.root / path));
    if (upstream == *text) return {};
    plan_.findings.push_back(finding(path, 1, "no_base", diag::Severity::kWarning));
    ++plan_.reapplied.conflicts;
    return {};
  }

  Status take_over_unedited() {
    std::set<std::string, std::less<>> edited;
    for (const FilePlan& file : plan_.files) edited.insert(file.path);
    for (const project::File& file : plan_.listing) {
      if (edited.contains(file.path)) continue;
      if (!record_.files.contains(file.path)) TRY(check_unrecorded(file.path));
      if (const auto old = record_.files.find(file.path); old != record_.files.end())
        plan_.reapplied.gone += static_cast<std::uint32_t>(old->second.edits.size());
    }
    return {};
  }

  void say_what_is_gone() {
    std::set<std::string, std::less<>> there;
    for (const project::File& file : plan_.listing) there.insert(file.path);
    for (const auto& [path, old] : record_.files) {
      if (there.contains(path) || old.is_new) continue;
      plan_.reapplied.gone += static_cast<std::uint32_t>(old.edits.size());
      plan_.findings.push_back(finding(path, 1, "gone", diag::Severity::kNote));
    }
  }

  Plan& plan_;
  const fs::path& ported_;
  const Record& record_;
};

}  // namespace

Result<Plan> reapply(const fs::path& ported, const fs::path& upstream, const Options& options) {
  ASSIGN(const Record record, read_record(ported));
  if (record.files.empty())
    return fail("E114", {.file = show_path(ported)}, {{"project", show_path(ported)}});
  ASSIGN(Plan plan, port::plan(upstream, options));
  plan.reapplied.is_done = true;
  TRY(Reapplication(plan, ported, record).run());
  diag::sort(plan.findings);
  return plan;
}

}  // namespace godwit::port
