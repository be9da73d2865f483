// Outputs are renamed, never written, into the dossier: a rename either happens or does not.
#include "dossier/outputs.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/file.h"
#include "base/parallel.h"
#include "base/text.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
namespace {

bool is_folder(const fs::path& path) {
  std::error_code code;
  return fs::is_directory(fs::symlink_status(path, code));
}

// A dossier is changed by whole entries of its top folder ("source", "source.diff" …); only
// stages/ is shared, so its entries count one by one.
std::set<std::string> entries_of(const Record& record) {
  constexpr std::string_view kShared = "stages/";
  std::set<std::string> entries;
  for (const Output& output : record.outputs) {
    const std::size_t from = output.path.starts_with(kShared) ? kShared.size() : 0;
    entries.insert(output.path.substr(0, output.path.find('/', from)));
  }
  return entries;
}

std::vector<std::string> children(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    names.push_back(at->path().filename().string());
  }
  return names;
}

void list_files(const fs::path& root, const fs::path& part, std::vector<std::string>& out) {
  if (!is_folder(root / part)) {
    out.push_back(part.generic_string());
    return;
  }
  for (const std::string& name : children(root / part)) list_files(root, part / name, out);
}

std::vector<std::string> made_entries(const fs::path& folder) {
  std::vector<std::string> entries;
  for (const std::string& name : children(folder)) {
    if (name != "stages") {
      entries.push_back(name);
      continue;
    }
    for (const std::string& each : children(folder / name)) entries.push_back("stages/" + each);
  }
  return entries;
}

Status move(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (to.has_parent_path()) fs::create_directories(to.parent_path(), code);
  fs::rename(from, to, code);
  if (!code) return {};
  return fail("E005", {.file = show_path(to)},
              {{"path", show_path(to)}, {"reason", code.message()}});
}

std::uint64_t size_of(const fs::path& path) {
  std::error_code code;
  if (fs::is_symlink(fs::symlink_status(path, code))) return 0;
  const std::uint64_t bytes = fs::file_size(path, code);
  return code ? 0 : bytes;
}

}  // namespace

std::string outcome_file(std::string_view stage) { return format("stages/{}.json", stage); }

// A stage that was cut off lists what was there before and what was to come: either will do.
bool holds_outcome(const fs::path& out, const Record& record) {
  const std::string name = outcome_file(record.stage), digest = digest_file(out / name);
  return std::any_of(record.outputs.begin(), record.outputs.end(), [&](const Output& output) {
    return output.path == name && output.sha256 == digest;
  });
}

std::vector<Output> list_outputs(const fs::path& folder) {
  std::vector<std::string> paths;
  for (const std::string& name : children(folder)) list_files(folder, name, paths);
  std::sort(paths.begin(), paths.end());
  std::vector<Output> outputs(paths.size());
  parallel_for(paths.size(), [&](std::size_t i, std::size_t) {
    outputs[i] = {paths[i], size_of(folder / paths[i]), digest_file(folder / paths[i])};
  });
  return outputs;
}

Presence look_at(const fs::path& out, const Record& record) {
  Presence presence;
  std::error_code code;
  for (const Output& output : record.outputs) {
    if (!fs::exists(fs::symlink_status(out / output.path, code))) {
      presence.all_there = false;
    } else if (size_of(out / output.path) != output.bytes) {
      presence.resized.push_back(output.path);
    }
  }
  return presence;
}

std::vector<std::string> find_edits(const fs::path& out, const Record& record) {
  std::multimap<std::string_view, std::string_view> written;
  for (const Output& output : record.outputs) written.emplace(output.path, output.sha256);
  std::vector<std::string> here;
  std::error_code code;
  for (const std::string& entry : entries_of(record)) {
    if (fs::exists(fs::symlink_status(out / entry, code))) list_files(out, entry, here);
  }
  std::vector<char> is_edit(here.size(), 0);
  parallel_for(here.size(), [&](std::size_t i, std::size_t) {
    const auto [begin, end] = written.equal_range(here[i]);
    const std::string found = digest_file(out / here[i]);
    is_edit[i] = std::none_of(begin, end, [&](const auto& known) { return known.second == found; });
  });
  std::vector<std::string> edits;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (is_edit[i]) edits.push_back(here[i]);
  }
  std::sort(edits.begin(), edits.end());
  return edits;
}

Result<fs::path> move_edits(const fs::path& out, const std::vector<std::string>& paths) {
  std::error_code code;
  fs::path to;
  for (int number = 1; to.empty() || fs::exists(fs::symlink_status(to, code)); ++number) {
    to = out / format("edited-{}", number);
  }
  for (const std::string& path : paths) TRY(move(out / path, to / path));
  return to;
}

Status put_in_place(const fs::path& from, const fs::path& out, const fs::path& old,
                    const Record& before) {
  std::error_code code;
  const std::vector<std::string> made = made_entries(from);
  std::set<std::string> replaced = entries_of(before);
  replaced.insert(made.begin(), made.end());
  for (const std::string& entry : replaced) {
    if (fs::exists(fs::symlink_status(out / entry, code))) TRY(move(out / entry, old / entry));
  }
  for (const std::string& entry : made) TRY(move(from / entry, out / entry));
  return {};
}

}  // namespace godwit::dossier
