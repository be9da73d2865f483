// From a project to a plan: rules make changes, overlaps are refused, every file is checked again.
#include <algorithm>
#include <deque>
#include <iterator>
#include <map>

#include "base/file.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/text.h"
#include "diag/counts.h"
#include "diag/messages.h"
#include "facts/eager.h"
#include "facts/versions.h"
#include "port/extensions.h"
#include "port/file_plan.h"
#include "port/helper_places.h"
#include "port/helpers.h"
#include "port/kernel_flags.h"
#include "port/libraries.h"
#include "port/own_devices.h"
#include "port/port.h"
#include "port/programs.h"
#include "port/python_variables.h"
#include "port/unread.h"
#include "port/variables.h"
#include "port/windows_scripts.h"
#include "project/installed.h"

namespace godwit::port {
namespace {

using project::FileKind;

constexpr std::int64_t kMostCards = 4096;
constexpr std::uint64_t kMostScriptBytes = std::uint64_t{4} << 20;

bool is_script(FileKind kind) {
  return kind == FileKind::kShell || kind == FileKind::kDockerfile || kind == FileKind::kMakefile ||
         kind == FileKind::kYaml || kind == FileKind::kJson || kind == FileKind::kCuda ||
         kind == FileKind::kCpp || kind == FileKind::kMarkdown || kind == FileKind::kToml ||
         kind == FileKind::kRequirements;
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

// Texts that look like an option and are an argument of add_argument or its like.
std::set<std::string, std::less<>> list_options(const std::vector<Subject>& subjects) {
  std::set<std::string, std::less<>> options;
  for (const Subject& subject : subjects) {
    const auto& nodes = subject.tree().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
      if (nodes[node].kind != Kind::kString ||
          nodes[nodes[node].parent].kind != Kind::kArgumentList)
        continue;
      const auto text = subject.module().literal(node);
      if (text && text->starts_with("--")) options.emplace(*text);
    }
  }
  return options;
}

// A backward pass, or a trainer of a library.
bool is_training(Mode mode, const std::vector<Subject>& subjects) {
  if (mode != Mode::kAuto) return mode == Mode::kTraining;
  for (const Subject& subject : subjects) {
    for (const project::Use& use : subject.module().uses()) {
      const std::string_view name = subject.module().name(use.name);
      if (name.ends_with(".backward") || name.ends_with(".Trainer")) return true;
    }
  }
  return false;
}

// What the project calls and the chip has on the path of on-line compilation only.
std::vector<std::string> find_compiled(const std::vector<Subject>& subjects, const facts::Soc& soc,
                                       bool trains) {
  if (!facts::is_yes(soc.jit_compile_default)) return {};
  std::set<std::string, std::less<>> names;
  for (const Subject& subject : subjects) {
    for (const project::Use& use : subject.module().uses()) {
      const std::string_view name = subject.module().name(use.name);
      if (name.starts_with("torch.") && use.call != kNoNode) names.emplace(name);
    }
  }
  const facts::EagerOptions asked{.mode =
                                      trains ? facts::Mode::kTraining : facts::Mode::kInference};
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const auto verdict = facts::eager_verdict(name, soc, asked);
    if (verdict && verdict->verdict == facts::Verdict::kAclopOnly) found.push_back(name);
  }
  return found;
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

// Files that were not read may need edits too.
void add_unread(const project::Project& project, std::vector<diag::Finding>& left) {
  for (const Error& error : project.unreadable) left.push_back(unread(error, "left"));
  for (const Error& error : project.listing.left_out) left.push_back(unread(error, "left"));
}

// What a library does on CUDA is not the project's to edit, but a person's to know: with the place,
// for a library that is not known to run on the chip.
void add_installed(const project::Project& project, const facts::Soc& soc,
                   std::vector<diag::Finding>& left) {
  for (const project::InstalledPackage& package : project::installed_packages(project)) {
    if (runs_here(package.name, soc)) continue;
    for (const project::InstalledPlace& each : package.places) {
      left.push_back({.code = "P054",
                      .severity = diag::Severity::kWarning,
                      .place = each.place,
                      .args = {{"package", package.name}, {"name", each.name}},
                      .variant = "left",
                      .snippet = each.snippet});
    }
  }
}

// --cards without anything that it could be done to.
void add_unshared(const Cards& cards, const Options& options, std::vector<diag::Finding>& left) {
  const bool infers = options.mode == Mode::kInference;
  const bool trains = std::any_of(cards.programs.begin(), cards.programs.end(),
                                  [](const TrainingProgram& program) { return program.trains; });
  if (trains && !infers) return;
  left.push_back({.code = "P070",
                  .severity = infers ? diag::Severity::kNote : diag::Severity::kWarning,
                  .args = {{"cards", std::to_string(options.cards)}},
                  .variant = infers ? "inference" : "nothing"});
}

// New files; one of an earlier run that is there already stays.
Status add_companions(const std::map<std::string, Helper>& needed, Plan& plan) {
  for (const auto& [path, helper] : needed) {
    const bool is_there = std::any_of(plan.listing.begin(), plan.listing.end(),
                                      [&](const project::File& file) { return file.path == path; });
    if (is_there) continue;
    ASSIGN(std::string text, helper_text(helper));
    FilePlan file{.path = path, .after = std::move(text), .is_new = true};
    file.after_sha256 = sha256(file.after);
    plan.files.push_back(std::move(file));
  }
  return {};
}

// All files on all cores; what they give is put together in the order of the files.
Status plan_files(const std::vector<Subject>& subjects, const std::deque<Script>& scripts,
                  World& world, Plan& plan) {
  const Dispatch dispatch;
  std::vector<Result<Planned>> made(subjects.size() + scripts.size(), Planned{});
  parallel_for(made.size(), [&](std::size_t at, std::size_t) {
    made[at] = at < subjects.size() ? plan_module(subjects[at], world, dispatch)
                                    : plan_script(scripts[at - subjects.size()], world, dispatch);
  });
  std::map<std::string, Helper> needed;
  for (Result<Planned>& one : made) {
    if (!one) return tl::unexpected(std::move(one).error());
    plan.summary.lines += one->lines;
    for (auto& [path, helper] : one->helpers) needed.emplace(std::move(path), helper);
    if (one->file) plan.files.push_back(*std::move(one->file));
    std::move(one->left.begin(), one->left.end(), std::back_inserter(plan.findings));
  }
  return add_companions(needed, plan);
}

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

// A file that is named alone and cannot be read, or a folder without source, is no port of nothing.
Status check_content(const std::filesystem::path& root, const project::Project& project,
                     const std::deque<Script>& scripts) {
  if (!project.modules.empty() || !scripts.empty() || !project.listing.left_out.empty()) return {};
  std::error_code code;
  if (project.unreadable.empty()) {
    return fail(
        "E120", {.file = show_path(root)},
        {{"path", show_path(root)}, {"files", std::to_string(project.listing.files.size())}});
  }
  return std::filesystem::is_regular_file(root, code)
             ? Status(tl::unexpected(project.unreadable.front()))
             : Status();
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

Result<std::uint32_t> parse_cards(const std::string& text) {
  if (text.empty()) return 1U;
  const auto cards = parse_integer(text);
  if (!cards || *cards < 1 || *cards > kMostCards) return fail("E118", {}, {{"text", text}});
  return static_cast<std::uint32_t>(*cards);
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
  TRY(check_content(root, project, scripts));
  Flow flow(project, subjects, positions);
  const Names names(release);
  const auto unfit = find_unfit(subjects, scripts);
  const auto imported = list_imported(subjects);
  const bool trains = is_training(options.mode, subjects);
  const auto compiled = find_compiled(subjects, options.target.soc, trains);
  const auto options_declared = list_options(subjects);
  const HelperPlaces helpers(project, subjects);
  const Extensions extensions(subjects, flow);
  const OwnDevices own_devices(subjects, options.style);
  const WrittenLines written = written_lines(project.listing.root);
  // What only computes answers needs no gradients from other cards: it is started once per card.
  const bool shares = options.mode != Mode::kInference;
  Cards cards{.count = shares ? options.cards : 1,
              .sync_batchnorm = options.sync_batchnorm,
              .style = options.style};
  if (cards.is_asked()) {
    ASSIGN(cards.collectives, find_collectives(options.target.soc, options.cards));
  }
  if (cards.is_asked() || options.lists_programs)
    cards.programs = find_training(project, subjects, flow);
  World world{.project = project,
              .subjects = subjects,
              .names = names,
              .soc = options.target.soc,
              .positions = positions,
              .flow = flow,
              .unfit_variables = unfit,
              .helpers = helpers,
              .float64 = options.float64,
              .style = options.style,
              .is_training = trains,
              .imported = imported,
              .needs_compiler = compiled,
              .options = options_declared,
              .written = written,
              .extensions = extensions,
              .own_devices = own_devices,
              .cards = cards};
  for (const Subject& subject : subjects) hold_values(subject, world);
  mark_kernel_flags(world);

  Plan made{.root = project.listing.root, .torch_npu = release, .listing = project.listing.files};
  flow.freeze();
  TRY(plan_files(subjects, scripts, world, made));
  TRY(add_helpers(project, cards, made));
  add_unread(project, made.findings);
  add_windows_scripts(project.listing, made.findings);
  if (options.installed) add_installed(project, options.target.soc, made.findings);
  if (options.cards > 1) add_unshared(cards, options, made.findings);
  std::sort(made.files.begin(), made.files.end(),
            [](const FilePlan& a, const FilePlan& b) { return a.path < b.path; });
  diag::sort(made.findings);
  summarise(made);
  made.summary.trains = trains;
  if (options.lists_programs) {
    made.programs = find_programs(
        {.project = project, .subjects = subjects, .cards = cards, .trains = trains}, made);
  }
  return made;
}

}  // namespace godwit::port
