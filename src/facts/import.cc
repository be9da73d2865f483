// Walks a folder, hands files to their importers, and writes the overlay.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "base/file.h"
#include "base/new_folder.h"
#include "base/text.h"
#include "diag/messages.h"
#include "facts/importer.h"
#include "facts/overlay.h"

namespace godwit::facts {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostFolders = 200'000;
constexpr std::size_t kDeepestFolder = 40;
constexpr std::uint64_t kLargestFile = std::uint64_t{256} << 20;

class Walk {
 public:
  explicit Walk(fs::path root) : root_(std::move(root)) {}

  void run(Imported& into) { visit(root_, 0, into); }

 private:
  // A toolkit links its parts to each other, so a folder is entered once under its true name.
  void visit(const fs::path& folder, std::size_t depth, Imported& into) {
    std::error_code code;
    const fs::path real = fs::canonical(folder, code);
    if (code || depth > kDeepestFolder || seen_.size() > kMostFolders) return;
    if (!seen_.insert(real.string()).second) return;
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
      entries.push_back(at->path());
    }
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) {
      if (fs::is_directory(entry, code))
        visit(entry, depth + 1, into);
      else
        read(entry, into);
    }
  }

  void read(const fs::path& file, Imported& into) {
    const std::string path = file.lexically_relative(root_).generic_string();
    for (const Importer* const importer : kImporters) {
      if (!importer->claims(path)) continue;
      const Result<std::string> text = read_file(file, kLargestFile);
      if (!text) {
        into.skipped.emplace_back(path, text.error().code);
        return;
      }
      ++into.files;
      importer->read(path, *text, into);
      return;
    }
  }

  fs::path root_;
  std::set<std::string> seen_;
};

std::string safe_cell(std::string_view text) {
  std::string out = to_valid_utf8(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return std::string(trim(out));
}

std::string kernel_table(std::vector<ImportedKernel> rows, std::string_view cann) {
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::tie(a.op, a.engine, a.combos) < std::tie(b.op, b.engine, b.combos);
  });
  std::string out =
      "op\tcann\tengine\tdtypes\tports\tcombos\tcombo_count\tformats\tdynamic\tnotes\tsource\n";
  for (const ImportedKernel& k : rows) {
    out += format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\tuser\n", safe_cell(k.op),
                  safe_cell(cann), k.engine, safe_cell(k.dtypes), safe_cell(k.ports),
                  safe_cell(k.combos), k.combo_count, safe_cell(k.formats), k.dynamic, k.notes);
  }
  return out;
}

std::string symbol_table(const Imported& imported) {
  std::string out = "name\tkind\talias\tdefined_in\treleases\tsource\n";
  for (const auto& [name, kind] : imported.symbols) {
    const bool alias = name == "torch_npu.npu" || name.starts_with("torch_npu.npu.");
    out += format("{}\t{}\t{}\t{}\t{}\tuser\n", safe_cell(name), kind, alias ? "yes" : "",
                  safe_cell(name.substr(0, name.rfind('.'))), safe_cell(imported.torch_npu));
  }
  return out;
}

// Names become file names: only what a registry key or soc_version can be.
bool is_plain(std::string_view name) {
  return !name.empty() && name.size() < 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

using Members = std::vector<std::pair<std::string, std::string>>;

Members members_of(const Imported& imported) {
  Members members;
  for (const auto& [family, rows] : imported.kernels) {
    if (rows.empty() || !is_plain(family)) continue;
    const std::string cann = imported.cann.empty() ? "installed" : imported.cann;
    members.emplace_back(format("ops/kernels/{}.tsv", family), kernel_table(rows, cann));
  }
  for (const auto& [soc, text] : imported.socs) {
    if (is_plain(soc)) members.emplace_back(format("socs/{}.toml", soc), text);
  }
  if (!imported.symbols.empty()) {
    members.emplace_back("api/torch_npu_symbols.tsv", symbol_table(imported));
  }
  return members;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += format("{}\"{}\"", out.empty() ? "" : ", ", name);
  return out;
}

std::string manifest_of(const Imported& imported, const Members& members) {
  std::vector<std::string> tables, registries;
  for (const auto& [name, text] : members) tables.push_back(name);
  for (const auto& [family, rows] : imported.kernels) {
    if (family != "any" && !rows.empty() && is_plain(family)) registries.push_back(family);
  }
  std::string out =
      "# What was read from an installed CANN or torch_npu; it wins over the built-in tables.\n";
  out += "format = 1\n";
  out += format("cann = \"{}\"\ntorch_npu = \"{}\"\n", safe_cell(imported.cann),
                safe_cell(imported.torch_npu));
  out += format("registries = [{}]\ntables = [{}]\n", quoted_list(registries), quoted_list(tables));
  return out;
}

// `from .x import *`: the names of x are names of the module too; twice, for a star behind a star.
void follow_stars(Imported& imported) {
  for (int pass = 0; pass < 2; ++pass) {
    for (const auto& [module, from] : imported.stars) {
      const std::string prefix = from + ".";
      std::vector<std::pair<std::string, std::string>> more;
      for (auto at = imported.symbols.lower_bound(prefix);
           at != imported.symbols.end() && at->first.starts_with(prefix); ++at) {
        const std::string rest = at->first.substr(prefix.size());
        if (!contains(rest, ".") && !rest.starts_with("_")) more.emplace_back(rest, at->second);
      }
      for (const auto& [name, kind] : more) imported.symbols.emplace(module + "." + name, kind);
    }
  }
}

// Only a folder that is empty, missing or an overlay may be written to.
Status check_target(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder, code) || is_empty_but_unfinished(folder)) return {};
  if (read_overlay_manifest(folder)) return {};
  const std::string shown = show_path(folder);
  return fail("E005", {.file = shown},
              {{"path", shown}, {"reason", diag::text("overlay.other_content")}});
}

}  // namespace

Result<Imported> import_folder(const fs::path& folder) {
  std::error_code code;
  const std::string shown = show_path(folder);
  if (!fs::exists(folder, code)) return fail("E001", {.file = shown}, {{"path", shown}});
  Imported imported;
  if (fs::is_directory(folder, code)) Walk(folder).run(imported);
  follow_stars(imported);
  if (members_of(imported).empty()) return fail("E028", {.file = shown}, {{"path", shown}});
  return imported;
}

Status write_overlay(const Imported& imported, const fs::path& folder) {
  TRY(check_target(folder));
  const Members members = members_of(imported);
  ASSIGN(NewFolder made, NewFolder::open(folder));
  Status done = write_file(made.folder() / "overlay.toml", manifest_of(imported, members));
  for (const auto& [name, text] : members) {
    if (done) done = write_file(made.folder() / name, text);
  }
  return done ? made.commit() : tl::unexpected(made.named(done.error()));
}

Result<fs::path> usual_overlay_folder() {
  const char* const home = std::getenv("HOME");
  if (!home || !*home) return fail("E018");
  return fs::path(home) / ".config/godwit/overlay";
}

}  // namespace godwit::facts
