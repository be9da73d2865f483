// Walks a project without recursion; links are named, never followed.
#include "project/files.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "base/unfinished.h"
#include "project/glob.h"

namespace godwit::project {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 15> kSkippedFolders = {
    ".git",         ".godwit",       ".hg",        ".svn", "__pycache__", ".venv",
    "node_modules", "site-packages", ".tox",       ".nox", ".eggs",       ".ipynb_checkpoints",
    ".mypy_cache",  ".pytest_cache", ".ruff_cache"};

constexpr std::pair<std::string_view, FileKind> kEndings[] = {
    {".py", FileKind::kPython},
    {".pyw", FileKind::kPython},
    {".ipynb", FileKind::kNotebook},
    {".sh", FileKind::kShell},
    {".bash", FileKind::kShell},
    {".slurm", FileKind::kShell},
    {".sbatch", FileKind::kShell},
    {".yaml", FileKind::kYaml},
    {".yml", FileKind::kYaml},
    {".json", FileKind::kJson},
    {".toml", FileKind::kToml},
    {".md", FileKind::kMarkdown},
    {".markdown", FileKind::kMarkdown},
    {".dockerfile", FileKind::kDockerfile},
    {".mk", FileKind::kMakefile},
    {".cu", FileKind::kCuda},
    {".cuh", FileKind::kCuda},
    {".c", FileKind::kCpp},
    {".cc", FileKind::kCpp},
    {".cpp", FileKind::kCpp},
    {".cxx", FileKind::kCpp},
    {".h", FileKind::kCpp},
    {".hh", FileKind::kCpp},
    {".hpp", FileKind::kCpp},
    {".onnx", FileKind::kOnnx},
};

FileKind kind_by_shebang(const fs::path& path) {
  const std::string start = read_start(path, 128);
  const std::string_view line = std::string_view(start).substr(0, start.find('\n'));
  if (!line.starts_with("#!")) return FileKind::kOther;
  if (contains(line, "python")) return FileKind::kPython;
  return line.ends_with("sh") || contains(line, "sh ") ? FileKind::kShell : FileKind::kOther;
}

FileKind kind_of(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string lower = to_lower(name);
  if (lower.starts_with("requirements") && lower.ends_with(".txt")) return FileKind::kRequirements;
  if (lower == "setup.cfg") return FileKind::kRequirements;  // its indented lines
  if (lower == "dockerfile" || lower.starts_with("dockerfile.")) return FileKind::kDockerfile;
  if (lower == "makefile" || lower == "gnumakefile") return FileKind::kMakefile;
  for (const auto& [ending, kind] : kEndings) {
    if (lower.size() > ending.size() && lower.ends_with(ending)) return kind;
  }
  return name.find('.', 1) == std::string::npos ? kind_by_shebang(path) : FileKind::kOther;
}

// Read as a whole by somebody, so its size matters.
bool is_text_kind(FileKind kind) { return kind != FileKind::kOther && kind != FileKind::kOnnx; }

class Walk {
 public:
  Walk(Listing& listing, const ListOptions& options)
      : listing_(listing), options_(options), exclude_(options.exclude) {}

  void folder(const std::string& relative) {
    const fs::path path = relative.empty() ? listing_.root : listing_.root / relative;
    std::error_code error;
    fs::directory_iterator entries(path, error);
    if (error)
      return leave_out("E070", relative.empty() ? "." : relative, {{"reason", error.message()}});
    for (; entries != fs::directory_iterator(); entries.increment(error)) {
      const std::string name = entries->path().filename().string();
      entry(*entries, relative.empty() ? name : relative + "/" + name);
    }
    if (error) leave_out("E070", relative, {{"reason", error.message()}});
  }

  void file(const fs::path& path, const std::string& relative) {
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(path, error);
    if (error) return leave_out("E002", relative, {{"reason", error.message()}});
    const FileKind kind = kind_of(path);
    if (bytes > options_.most_bytes && is_text_kind(kind)) {
      return leave_out(
          "E069", relative,
          {{"bytes", with_thousands(bytes)}, {"most", with_thousands(options_.most_bytes)}});
    }
    listing_.files.push_back({relative, kind, bytes});
  }

  std::vector<std::string> pending{std::string()};

 private:
  void entry(const fs::directory_entry& entry, const std::string& relative) {
    std::error_code error;
    if (entry.is_symlink(error)) return link(entry.path(), relative);
    const bool is_folder = entry.is_directory(error);
    if (exclude_.matches(relative, is_folder)) return;
    if (is_folder) {
      if (!is_skipped(entry.path())) pending.push_back(relative);
    } else if (entry.is_regular_file(error)) {
      file(entry.path(), relative);
    }
  }

  // What a link inside the project points to is listed where it really lies.
  void link(const fs::path& path, const std::string& relative) {
    if (exclude_.matches(relative, false) || exclude_.matches(relative, true)) return;
    std::error_code error;
    const fs::path target = fs::canonical(path, error);
    if (error) return leave_out("E068", relative, {{"reason", error.message()}});
    const fs::path root = fs::canonical(listing_.root, error);
    const auto [end, unused] =
        std::mismatch(root.begin(), root.end(), target.begin(), target.end());
    if (end != root.end()) leave_out("E067", relative, {{"target", show_path(target)}});
  }

  static bool is_skipped(const fs::path& path) {
    const std::string name = path.filename().string();
    if (std::find(kSkippedFolders.begin(), kSkippedFolders.end(), name) != kSkippedFolders.end()) {
      return true;
    }
    std::error_code error;
    // A dossier holds a ported copy of a project, which is no part of another one.
    return is_unfinished_name(name) || fs::exists(path / "pyvenv.cfg", error) ||
           fs::exists(path / "CMakeCache.txt", error) || fs::exists(path / ".godwit/lock", error);
  }

  void leave_out(std::string_view code, const std::string& relative, Args args) {
    args.insert(args.begin(), {"path", show_path(relative)});
    listing_.left_out.push_back(
        {std::string(code), {.file = show_path(relative)}, std::move(args)});
  }

  Listing& listing_;
  const ListOptions& options_;
  Globs exclude_;
};

}  // namespace

Result<Listing> list_files(const fs::path& root, const ListOptions& options) {
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (!fs::is_directory(status) && !fs::is_regular_file(status)) {
    return fail(fs::exists(status) ? "E003" : "E065", {.file = show_path(root)},
                {{"path", show_path(root)}});
  }
  Listing listing;
  Walk walk(listing, options);
  if (fs::is_regular_file(status)) {
    listing.root = root.has_parent_path() ? root.parent_path() : fs::path(".");
    walk.file(root, root.filename().string());
    return listing;
  }
  listing.root = root;
  while (!walk.pending.empty()) {
    const std::string folder = std::move(walk.pending.back());
    walk.pending.pop_back();
    walk.folder(folder);
  }
  const auto by_path = [](const File& a, const File& b) { return a.path < b.path; };
  std::sort(listing.files.begin(), listing.files.end(), by_path);
  std::sort(listing.left_out.begin(), listing.left_out.end(),
            [](const Error& a, const Error& b) { return a.place.file < b.place.file; });
  return listing;
}

}  // namespace godwit::project
