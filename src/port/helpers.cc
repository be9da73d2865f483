// Finds the folders that need a helper, from the edits of a plan and the imports of the programs.
#include "port/helpers.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "port/helper_places.h"

namespace godwit::port {
namespace {

bool names(const FilePlan& file, std::string_view module) {
  const std::string statement = format("import {}", module);
  return std::any_of(file.changes.begin(), file.changes.end(),
                     [&](const Change& change) { return contains(change.edit.text, statement); });
}

bool is_package(const project::Project& project, const std::filesystem::path& folder) {
  const std::string init = (folder / "__init__.py").generic_string();
  return std::any_of(project.listing.files.begin(), project.listing.files.end(),
                     [&](const project::File& file) { return file.path == init; });
}

// Where Python looks first when the program runs; of a module of a package, the package's folder.
std::filesystem::path import_root(const project::Project& project, std::string_view program) {
  std::filesystem::path folder = std::filesystem::path(program).parent_path();
  while (!folder.empty() && is_package(project, folder)) folder = folder.parent_path();
  return folder;
}

// Every script that may be run, and every edited module that nothing imports.
std::set<std::string> folders_of(const project::Project& project, const Cards& cards,
                                 const std::vector<const FilePlan*>& users) {
  std::set<std::string> folders;
  for (const TrainingProgram& program : cards.programs) {
    const bool runs_them =
        std::any_of(program.modules.begin(), program.modules.end(), [&](const Subject* module) {
          return std::any_of(users.begin(), users.end(), [&](const FilePlan* file) {
            return file->path == module->module().file().path;
          });
        });
    if (!runs_them) continue;
    folders.insert(import_root(project, program.entry->module().file().path).generic_string());
  }
  return folders;
}

bool is_listed(const project::Project& project, std::string_view path) {
  return std::any_of(project.listing.files.begin(), project.listing.files.end(),
                     [&](const project::File& file) { return file.path == path; });
}

// A person may change our file; one that never was ours must not be imported as such.
Status check_ours(const std::filesystem::path& file, const std::string& path) {
  ASSIGN(const std::string text, read_file(file));
  if (is_helper_text(text)) return {};
  return fail("E119", {.file = path}, {{"path", path}});
}

Status add(const project::Project& project, const Cards& cards, std::string_view module,
           const std::set<std::string>& folders, Plan& plan) {
  ASSIGN(const std::string text, helper_text(module, cards));
  for (const std::string& folder : folders) {
    const std::string path =
        (std::filesystem::path(folder) / format("{}.py", module)).generic_string();
    if (is_listed(project, path)) {
      TRY(check_ours(plan.root / path, path));
      continue;  // of an earlier run
    }
    plan.files.push_back({.path = path,
                          .before = {},
                          .after = text,
                          .before_sha256 = sha256(""),
                          .after_sha256 = sha256(text),
                          .changes = {},
                          .is_new = true});
  }
  return {};
}

}  // namespace

Status add_helpers(const project::Project& project, const Cards& cards, Plan& plan) {
  if (!cards.is_asked()) return {};
  const bool shares = !cards.collectives.lacking.empty();
  std::vector<const FilePlan*> cards_users, collectives_users;
  for (const FilePlan& file : plan.files) {
    if (names(file, kCardsModule)) cards_users.push_back(&file);
    if (names(file, kCollectivesModule)) collectives_users.push_back(&file);
  }
  const auto cards_folders = folders_of(project, cards, cards_users);
  auto collectives_folders = folders_of(project, cards, collectives_users);
  if (shares) collectives_folders.insert(cards_folders.begin(), cards_folders.end());
  TRY(add(project, cards, kCardsModule, cards_folders, plan));
  return add(project, cards, kCollectivesModule, collectives_folders, plan);
}

}  // namespace godwit::port
