// Classification and hashing of the subject.
#include "dossier/subject.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
using project::FileKind;
namespace {

constexpr std::uint64_t kMostConfigBytes = 4 << 20;

bool is_weights(std::string_view path) {
  constexpr std::array<std::string_view, 6> kEndings = {".safetensors", ".bin",  ".pt",
                                                        ".pth",         ".ckpt", ".gguf"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? "" : path.substr(0, slash));
}

// The form that Hugging Face libraries write: model_type or architectures.
bool describes_model(const fs::path& config) {
  const auto text = read_file(config, kMostConfigBytes);
  if (!text) return false;
  const auto json = parse_json(*text, show_path(config));
  return json && (!(*json)["model_type"].is_null() || !(*json)["architectures"].is_null());
}

bool has_checkpoint(const Subject& subject) {
  std::set<std::string> weights;
  for (const Input& input : subject.inputs) {
    if (is_weights(input.file.path)) weights.insert(folder_of(input.file.path));
  }
  return std::any_of(subject.inputs.begin(), subject.inputs.end(), [&](const Input& input) {
    const std::string_view path = input.file.path;
    if (path != "config.json" && !path.ends_with("/config.json")) return false;
    return weights.contains(folder_of(path)) || describes_model(subject.locate(input));
  });
}

std::vector<std::string> classify(const Subject& subject) {
  const auto any = [&](auto... kind) {
    return std::any_of(subject.inputs.begin(), subject.inputs.end(),
                       [&](const Input& input) { return ((input.file.kind == kind) || ...); });
  };
  std::vector<std::string> kinds;
  if (any(FileKind::kPython, FileKind::kNotebook)) kinds.emplace_back("project");
  if (any(FileKind::kOnnx)) kinds.emplace_back("onnx");
  if (has_checkpoint(subject)) kinds.emplace_back("checkpoint");
  return kinds;
}

std::int64_t modification_time(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return 0;
  return status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
}

void add_digests(Subject& subject, Digests& digests) {
  std::vector<std::string> names;
  std::vector<Input*> places;
  for (Input& input : subject.inputs) {
    if (input.file.kind == FileKind::kOther) {
      input.modified = modification_time(subject.locate(input));
      continue;
    }
    names.push_back(subject.is_file ? std::string() : input.file.path);
    places.push_back(&input);
  }
  const std::vector<std::string> found = digests.of(subject.path, names);
  for (std::size_t i = 0; i < found.size(); ++i) {
    places[i]->sha256 = found[i].empty() ? "unreadable" : found[i];
  }
}

}  // namespace

bool Subject::has(std::string_view kind) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

fs::path Subject::locate(const Input& input) const {
  return is_file ? path : path / input.file.path;
}

std::string Subject::relative(std::string_view file) const {
  const std::string given = path.string();
  if (is_file) return file == given ? path.filename().string() : std::string(file);
  std::string_view rest = file;
  if (!rest.starts_with(given)) return std::string(file);
  rest.remove_prefix(given.size());
  if (!given.ends_with('/') && !rest.starts_with('/')) return std::string(file);
  return std::string(rest.substr(std::min(rest.find_first_not_of('/'), rest.size())));
}

std::string subject_name(const fs::path& path) {
  std::error_code code;
  fs::path full = fs::weakly_canonical(fs::absolute(path, code), code);
  if (!full.has_filename()) full = full.parent_path();  // "proj/"
  const std::string name = full.filename().string();
  return name.empty() || name == "/" ? "root" : name;
}

Result<Subject> open_subject(const fs::path& path, Digests& digests) {
  ASSIGN(project::Listing listing, project::list_files(path));
  Subject subject{.path = path, .name = subject_name(path), .kinds = {}, .inputs = {}};
  std::error_code code;
  subject.is_file = fs::is_regular_file(path, code);
  for (project::File& file : listing.files) subject.inputs.push_back({std::move(file)});
  subject.kinds = classify(subject);
  if (subject.kinds.empty()) {
    return fail("E091", {.file = show_path(path)},
                {{"path", show_path(path)}, {"files", std::to_string(subject.inputs.size())}});
  }
  add_digests(subject, digests);
  return subject;
}

}  // namespace godwit::dossier
