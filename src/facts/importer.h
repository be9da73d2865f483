// Importers: readers of files that an installed CANN or torch_npu consists of, one file per format.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace godwit::facts {

/// One row of an overlay's ops/kernels/*.tsv; columns as in data/schema/ops.kernels.toml.
struct ImportedKernel {
  std::string op{}, engine{}, dtypes{}, ports{}, combos{}, formats{}, dynamic{}, notes{};
  std::size_t combo_count = 0;
};

/// What was read so far.
struct Imported {
  std::string cann{};                                            // release: "8.2.RC1"
  std::string torch_npu{};                                       // "2.7.1.post8"
  std::map<std::string, std::vector<ImportedKernel>> kernels{};  // by family; "any" for CPU engines
  std::map<std::string, std::string> socs{};                     // by soc_version: TOML text
  std::map<std::string, std::string> symbols{};                  // qualified name → kind
  std::vector<std::pair<std::string, std::string>> stars{};  // module, and module it takes all of
  std::size_t files = 0;
  std::vector<std::pair<std::string, std::string>> skipped{};  // file and reason
};

struct Importer {
  std::string_view name;
  /// True for a path (relative to the folder that is imported, '/' between parts) it reads.
  bool (*claims)(std::string_view path);
  /// Adds what the text holds; a text of another form than the name promises is skipped with a
  /// reason, not fatal: one odd file must not hide the others.
  void (*read)(std::string_view path, std::string_view text, Imported& into);
};

extern const std::span<const Importer* const> kImporters;

/// Reads all files of a folder that an importer claims; links are followed, loops are not.
/// Errors: E001, E003 not a folder, E028 nothing to import.
Result<Imported> import_folder(const std::filesystem::path& folder);

/// Writes an overlay; an existing one is replaced. Errors: E005, also when the folder holds
/// something that is no overlay.
Status write_overlay(const Imported& imported, const std::filesystem::path& folder);

/// Where use_overlay looks without being told. Errors: E018 no home folder.
Result<std::filesystem::path> usual_overlay_folder();

/// "float16" and "DT_FLOAT16" → "fp16"; an unknown word stays as it is.
std::string dtype_code(std::string_view word);

}  // namespace godwit::facts
