// The library table by import and by package name.
#include "scan/library.h"

#include <map>
#include <mutex>
#include <string>

#include "base/text.h"

namespace godwit::scan {
namespace {

// "flash_attn", "Flash-Attn" and "flash-attn" are one package.
std::string normal(std::string_view name) { return to_lower(replace_all(name, "_", "-")); }

struct Index {
  std::vector<facts::Library> all;
  std::map<std::string, const facts::Library*, std::less<>> by_import, by_package;
};

Index make_index(const facts::Soc& soc) {
  Index index;
  if (auto all = facts::libraries(soc); all) index.all = *std::move(all);
  for (const facts::Library& library : index.all) {
    const std::string lower = normal(library.name);
    for (const std::string& import : library.imports) {
      if (import == "torch" || import.starts_with("torch.cuda")) continue;
      index.by_import.emplace(import, &library);
      // numba, faiss and onnxruntime exist without CUDA: their own package names say nothing.
      if (!contains(import, ".") && lower.find(' ') == std::string::npos && lower != "numba.cuda" &&
          !lower.ends_with("-gpu")) {
        index.by_package.emplace(normal(import), &library);
      }
    }
    if (lower.find_first_of(" .") == std::string::npos) index.by_package.emplace(lower, &library);
  }
  return index;
}

// Kept for the life of the program: patterns and findings refer to its texts.
const Index& index_of(const facts::Soc& soc) {
  static std::mutex mutex;
  static std::map<std::string, Index> by_chip;
  const std::lock_guard lock(mutex);
  const auto found = by_chip.find(soc.soc_version);
  return found != by_chip.end() ? found->second
                                : by_chip.emplace(soc.soc_version, make_index(soc)).first->second;
}

const facts::Soc kAnyChip{};

}  // namespace

const facts::Library* library_of(std::string_view import_name, const facts::Soc& soc) {
  const Index& index = index_of(soc);
  for (std::string_view at = import_name; !at.empty();) {
    const auto found = index.by_import.find(at);
    if (found != index.by_import.end()) return found->second;
    const std::size_t dot = at.rfind('.');
    at = dot == std::string_view::npos ? std::string_view() : at.substr(0, dot);
  }
  return nullptr;
}

const facts::Library* library_of_package(std::string_view package, const facts::Soc& soc) {
  const Index& index = index_of(soc);
  const auto found = index.by_package.find(normal(package));
  return found == index.by_package.end() ? nullptr : found->second;
}

std::vector<std::string_view> library_imports() {
  static const std::vector<std::string>* const kPatterns = [] {
    static std::vector<std::string> patterns;
    for (const auto& [import, _] : index_of(kAnyChip).by_import) {
      patterns.push_back(import);
      patterns.push_back(import + ".*");
    }
    return &patterns;
  }();
  return {kPatterns->begin(), kPatterns->end()};
}

std::vector<std::string_view> library_packages() {
  static const std::vector<std::string>* const kPatterns = [] {
    static std::vector<std::string> patterns;
    for (const auto& [package, _] : index_of(kAnyChip).by_package) {
      patterns.push_back(package);
      if (contains(package, "-")) patterns.push_back(replace_all(package, "-", "_"));
    }
    return &patterns;
  }();
  return {kPatterns->begin(), kPatterns->end()};
}

Args args_of(const facts::Library& library) {
  return {{"library", library.name},
          {"replacement", join(library.replacements, ", ")},
          {"needs", join(library.needs, ", ")},
          {"note", library.note}};
}

diag::Severity severity_of(const facts::Library& library) {
  if (facts::is_no(library.on_soc)) return diag::Severity::kError;
  switch (library.how) {
    case facts::Replacement::kSame: return diag::Severity::kNote;
    case facts::Replacement::kNone: return diag::Severity::kError;
    default: return diag::Severity::kWarning;
  }
}

}  // namespace godwit::scan
