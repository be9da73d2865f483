// Compares the place with the inputs that the arguments name, and with the dossier around it.
#include "cli/output_place.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "dossier/manifest.h"
#include "dossier/place.h"
#include "project/files.h"

namespace godwit::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kInputs = {
    "PATH", "PROJECT", "DOSSIER", "MODEL", "--against", "--inputs", "--env", "--requirements"};

// A report of an earlier run, which is to be written anew.
bool is_ours(const fs::path& path) { return contains(read_start(path, 4096), "\"godwit\""); }

// What a command reads of a project; other files lie there without being looked at.
bool is_source(const fs::path& path) {
  const auto listing = project::list_files(path);
  if (!listing || listing->files.empty()) return false;
  const project::FileKind kind = listing->files.front().kind;
  return kind != project::FileKind::kOther && kind != project::FileKind::kMarkdown;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  const auto [end, _] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

Status check_inputs(const Arguments& arguments, const fs::path& file) {
  std::error_code code;
  const fs::path place = fs::weakly_canonical(file, code);
  for (const std::string_view name : kInputs) {
    const fs::path input = arguments.text(name);
    if (input.empty() || !fs::exists(input, code)) continue;
    const bool is_folder = fs::is_directory(input, code);
    const bool is_read = is_folder ? is_below(place, fs::weakly_canonical(input, code)) &&
                                         is_source(file) && !is_ours(file)
                                   : fs::equivalent(input, file, code);
    if (is_read) {
      return fail("E094", {.file = show_path(file)},
                  {{"path", show_path(file)}, {"input", show_path(input)}});
    }
  }
  return {};
}

// A manifest that cannot be read still guards itself and our own folder.
bool is_listed(const fs::path& folder, const std::string& path) {
  if (path == dossier::kManifestFile || path.starts_with(dossier::kOwnFolder)) return true;
  const auto manifest = dossier::read_manifest(folder);
  if (!manifest) return false;
  for (const dossier::Record& record : manifest->records) {
    for (const dossier::Output& output : record.outputs) {
      if (output.path == path) return true;
    }
  }
  return false;
}

Status check_dossiers(const fs::path& file) {
  std::error_code code;
  const fs::path place = fs::weakly_canonical(file, code);
  for (fs::path folder = place.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (!dossier::is_dossier(folder)) continue;
    if (is_listed(folder, place.lexically_relative(folder).generic_string())) {
      return fail("E095", {.file = show_path(file)},
                  {{"path", show_path(file)}, {"out", show_path(folder.filename())}});
    }
  }
  return {};
}

}  // namespace

Status check_output_place(const Arguments& arguments, const std::string& file) {
  std::error_code code;
  if (!fs::is_regular_file(file, code)) return {};  // new, or a device
  TRY(check_dossiers(file));
  return check_inputs(arguments, file);
}

}  // namespace godwit::cli
