// The overlay: a folder laid out like data/ that holds what was read from a user's own machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"

namespace godwit::facts {

/// overlay.toml of a folder. Errors: E026 missing, damaged, or not written by an import.
Result<Json> read_overlay_manifest(const std::filesystem::path& folder);

/// Chooses the overlay of this process; call before the first fact is asked for. Order: `chosen`
/// (--overlay; "none" for no overlay), GODWIT_OVERLAY, ~/.config/godwit/overlay when it is there,
/// else none. Errors: E026 not an overlay (no overlay.toml, empty, or damaged).
Status use_overlay(std::string_view chosen = {});

/// The folder in use, or nothing.
std::optional<std::filesystem::path> overlay_folder();

/// Content of overlay.toml: what was imported (cann, torch_npu, chips); null without an overlay.
const Json& overlay_manifest();

/// Text of a member of the overlay ("ops/kernels/ascend310p.tsv"), or nothing when it has none.
Result<std::optional<std::string>> overlay_member(std::string_view name);

}  // namespace godwit::facts
