// From a project to a plan: rules make changes, overlaps are refused, every file is checked again.
#include <algorithm>
#include <deque>
#include <tuple>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "diag/counts.h"
#include "diag/messages.h"
#include "facts/versions.h"
#include "port/dispatch.h"
#include "port/helpers.h"
#include "port/port.h"
#include "port/python_variables.h"
#include "port/unread.h"
#include "port/variables.h"
#include "port/verify.h"

namespace godwit::port {
namespace {

using project::FileKind;

constexpr std::uint64_t kMostScriptBytes = std::uint64_t{4} << 20;

bool is_script(FileKind kind) {
  return kind == FileKind::kShell || kind == FileKind::kDockerfile || kind == FileKind::kMakefile ||
         kind == FileKind::kYaml || kind == FileKind::kJson || kind == FileKind::kCuda;
}

// A deque: what a script points into must not move.
std::deque<Script> read_scripts(const project::Listing& listing) {
  std::deque<Script> scripts;
  for (const project::File& file : listing.files) {
    if (!is_script(file.kind) || file.bytes > kMostScriptBytes) continue;
    Result<std::string> bytes = read_file(listing.root / file.path);
    if (!bytes) continue;
    Result<syntax::Source> source = syntax::Source::make(file.path, *std::move(bytes));
    if (source) scripts.emplace_back(file, *std::move(source));
  }
  return scripts;
}

// A variable that the project's Python reads back is renamed everywhere or nowhere: it keeps its
// name when some place sets it to a value that the NPU may read otherwise.
std::set<std::string, std::less<>> find_unfit(const std::vector<Subject>& subjects,
                                              const std::deque<Script>& scripts) {
  std::set<std::string, std::less<>> read, unfit;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (is_unfit_value(name, value)) unfit.emplace(name);
  };
  for (const Subject& subject : subjects) {
    for (const PythonVariable& variable : python_variables(subject)) {
      if (!variable.is_set) read.emplace(variable.name);
      if (variable.is_set) add(variable.name, variable.value.value_or("?"));
    }
  }
  for (const Script& script : scripts) {
    for (const VariableSite& site : script.variables()) {
      if (site.role == VariableSite::Role::kSet) add(site.name, site.value);
    }
  }
  std::erase_if(unfit, [&](const std::string& name) { return !read.contains(name); });
  return unfit;
}

std::set<std::string, std::less<>> list_imported(const std::vector<Subject>& subjects) {
  std::set<std::string, std::less<>> names;
  for (const Subject& subject : subjects) {
    for (const project::Import& import : subject.module().imports()) {
      const std::string_view target = subject.module().name(import.target);
      names.emplace(target);
      names.emplace(target.substr(0, target.rfind('.')));
    }
  }
  return names;
}

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

// Files that were not read may need edits too.
void add_unread(const project::Project& project, std::vector<diag::Finding>& left) {
  for (const Error& error : project.unreadable) left.push_back(unread(error, "left"));
  for (const Error& error : project.listing.left_out) left.push_back(unread(error, "left"));
}

class Planner {
 public:
  Planner(Plan& plan, World& world) : plan_(plan), world_(world) {}

  Status add_module(const Subject& subject) {
    std::vector<Change> changes;
    std::vector<diag::Finding> left;
    run_rules(subject, world_, dispatch_, changes, left);
    drop_in_errors(subject, changes, left);
    settle(changes, left);
    plan_.summary.lines += subject.module().source().line_count();
    if (!changes.empty()) {
      ASSIGN(FilePlan file, make(subject.module().source(), std::move(changes)));
      ASSIGN(const Verification checked,
             verify_python(subject.module().source(), subject.tree(), file.after, edits_of(file)));
      file.tokens = checked.tokens;
      if (checked.holds()) {
        plan_.files.push_back(std::move(file));
      } else {
        withdraw(file, left);
      }
    }
    keep(std::move(left));
    return {};
  }

  Status add_script(const Script& script) {
    std::vector<Change> changes;
    std::vector<diag::Finding> left;
    run_rules(script, world_, dispatch_, changes, left);
    settle(changes, left);
    plan_.summary.lines += script.source().line_count();
    if (!changes.empty()) {
      ASSIGN(FilePlan file, make(script.source(), std::move(changes)));
      file.is_python = false;
      if (bytes_equal_outside(file.before, file.after, edits_of(file)))
        plan_.files.push_back(std::move(file));
    }
    keep(std::move(left));
    return {};
  }

 private:
  static std::vector<syntax::Edit> edits_of(const FilePlan& file) {
    std::vector<syntax::Edit> edits;
    for (const Change& change : file.changes) edits.push_back(change.edit);
    return edits;
  }

  static Result<FilePlan> make(const syntax::Source& source, std::vector<Change> changes) {
    FilePlan file{.path = source.path(),
                  .before = std::string(source.bytes()),
                  .changes = std::move(changes)};
    ASSIGN(file.after, syntax::apply(file.before, edits_of(file)));
    file.before_sha256 = sha256(file.before);
    file.after_sha256 = sha256(file.after);
    return file;
  }

  // The check failed: a fault of a rule. The file stays as it is and every edit is said.
  static void withdraw(const FilePlan& file, std::vector<diag::Finding>& left) {
    for (const Change& change : file.changes) left.push_back(refused(change, "P029"));
  }

  void keep(std::vector<diag::Finding> left) {
    for (diag::Finding& finding : left) plan_.findings.push_back(std::move(finding));
  }

  Plan& plan_;
  World& world_;
  Dispatch dispatch_;
};

void summarise(Plan& plan) {
  Summary& summary = plan.summary;
  summary.files = static_cast<std::uint32_t>(plan.listing.size());
  summary.changed_files = static_cast<std::uint32_t>(plan.files.size());
  for (const FilePlan& file : plan.files) {
    for (const Change& change : file.changes)
      ++(change.edit.rule == "P030" ? summary.imports : summary.edits);
  }
  const auto places = diag::count(plan.findings).places;
  const auto of = [&](diag::Severity severity) {
    return static_cast<std::uint32_t>(places[static_cast<std::size_t>(severity)]);
  };
  summary.left = of(diag::Severity::kError) + of(diag::Severity::kWarning);
  summary.notes = of(diag::Severity::kNote);
}

}  // namespace

bool World::uses_torch(const Subject& subject) const {
  std::unordered_set<const project::Module*> seen;
  std::vector<const project::Module*> open = {&subject.module()};
  while (!open.empty()) {
    const project::Module* const module = open.back();
    open.pop_back();
    if (!seen.insert(module).second) continue;
    for (const project::Import& import : module->imports()) {
      const std::string_view target = module->name(import.target);
      if (target == "torch" || target.starts_with("torch.")) return true;
      const project::Module* next = project.find(target);
      if (!next) next = project.find(target.substr(0, target.rfind('.')));
      if (next) open.push_back(next);
    }
  }
  return false;
}

Result<Plan> plan(const std::filesystem::path& root, const Options& options) {
  ASSIGN(std::string release, facts::choose_release(options.torch_npu));
  std::vector<std::string> exclude = options.exclude;
  exclude.emplace_back(".godwit/");  // our own record of edits in place
  ASSIGN(const project::Project project,
         project::open_project(
             root, {.list = {.exclude = std::move(exclude)}, .progress = options.progress}));
  ASSIGN(const Positions positions, Positions::load());
  std::vector<Subject> subjects;
  subjects.reserve(project.modules.size());
  for (const Module& module : project.modules)
    subjects.emplace_back(module, static_cast<std::uint32_t>(subjects.size()));
  const std::deque<Script> scripts = read_scripts(project.listing);
  Flow flow(project, subjects, positions);
  const Names names(release);
  const auto unfit = find_unfit(subjects, scripts);
  const auto imported = list_imported(subjects);
  const WrittenLines written = written_lines(project.listing.root);
  Cards cards{.count = options.cards, .sync_batchnorm = options.sync_batchnorm};
  if (cards.is_asked()) {
    ASSIGN(cards.collectives, find_collectives(options.target.soc, options.cards));
    cards.programs = find_training(project, subjects, flow);
  }
  World world{.project = project,
              .subjects = subjects,
              .names = names,
              .soc = options.target.soc,
              .positions = positions,
              .flow = flow,
              .unfit_variables = unfit,
              .imported = imported,
              .written = written,
              .cards = cards};
  for (const Subject& subject : subjects) hold_values(subject, world);

  Plan made{.root = project.listing.root, .torch_npu = release, .listing = project.listing.files};
  Planner planner(made, world);
  for (const Subject& subject : subjects) TRY(planner.add_module(subject));
  for (const Script& script : scripts) TRY(planner.add_script(script));
  TRY(add_helpers(project, cards, made));
  add_unread(project, made.findings);
  std::sort(made.files.begin(), made.files.end(),
            [](const FilePlan& a, const FilePlan& b) { return a.path < b.path; });
  diag::sort(made.findings);
  summarise(made);
  return made;
}

}  // namespace godwit::port
