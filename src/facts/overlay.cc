// Finds and opens the overlay folder, and refuses what is not one.
#include "facts/overlay.h"

#include <cstdlib>

#include "base/file.h"
#include "diag/messages.h"
#include "facts/importer.h"

namespace godwit::facts {
namespace fs = std::filesystem;
namespace {

struct State {
  std::optional<fs::path> folder{};
  Json manifest{};
};

State& state() {
  static State value;
  return value;
}

std::optional<fs::path> choose(std::string_view chosen) {
  if (chosen == "none") return std::nullopt;
  if (!chosen.empty()) return fs::path(std::string(chosen));
  if (const char* named = std::getenv("GODWIT_OVERLAY"); named && *named) return fs::path(named);
  const Result<fs::path> usual = usual_overlay_folder();
  std::error_code code;
  if (!usual || !fs::is_directory(*usual, code)) return std::nullopt;
  return *usual;
}

tl::unexpected<Error> refuse(const fs::path& folder, std::string reason) {
  const std::string shown = show_path(folder);
  return fail("E026", {.file = shown}, {{"path", shown}, {"reason", std::move(reason)}});
}

}  // namespace

Result<Json> read_overlay_manifest(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code)) return refuse(folder, diag::text("overlay.no_folder"));
  const Result<std::string> text = read_file(folder / "overlay.toml", 1 << 20);
  if (!text) return refuse(folder, diag::text("overlay.no_manifest"));
  Result<Json> manifest = parse_toml(*text, "overlay.toml");
  if (!manifest) return refuse(folder, diag::text("overlay.no_toml"));
  if ((*manifest)["format"].integer() != 1) return refuse(folder, diag::text("overlay.no_format"));
  if ((*manifest)["tables"].items().empty()) return refuse(folder, diag::text("overlay.no_tables"));
  return manifest;
}

Status use_overlay(std::string_view chosen) {
  const std::optional<fs::path> folder = choose(chosen);
  state() = {};
  if (!folder) return {};
  ASSIGN(Json manifest, read_overlay_manifest(*folder));
  std::error_code code;
  for (const Json& name : manifest["tables"].items()) {
    if (!fs::is_regular_file(*folder / std::string(name.string()), code))
      return refuse(*folder,
                    diag::text("overlay.no_table", {{"table", std::string(name.string())}}));
  }
  state() = {.folder = folder, .manifest = std::move(manifest)};
  return {};
}

std::optional<fs::path> overlay_folder() { return state().folder; }

const Json& overlay_manifest() { return state().manifest; }

Result<std::optional<std::string>> overlay_member(std::string_view name) {
  if (!state().folder) return std::nullopt;
  const fs::path path = *state().folder / std::string(name);
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return std::nullopt;
  ASSIGN(std::string text, read_file(path, std::uint64_t{1} << 28));
  return std::optional<std::string>(std::move(text));
}

}  // namespace godwit::facts
