// Renderers: one file each, from the outcome of a command to text, JSON, SARIF …
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "diag/finding.h"

namespace godwit::diag {

struct Style {
  bool color = false;
  std::size_t width = 100;   // columns
  bool every_place = false;  // text: list all places of a repeated finding
};

struct Renderer {
  std::string_view name;  // as in --format
  std::string (*render)(const Outcome&, const Style&);
};

extern const std::span<const Renderer* const> kRenderers;

/// Errors: E021 unknown format, with the known ones.
Result<const Renderer*> find_renderer(std::string_view name);

}  // namespace godwit::diag
