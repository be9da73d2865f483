// Gates: rules that say whether a tensor is near enough. One file each in gates/.
#pragma once

#include <span>
#include <string_view>

#include "compare/layer.h"

namespace godwit::compare {

struct Gate {
  std::string_view name;  // "compare.gate_NAME" in ui.toml explains it
  std::string_view code;  // of the finding when an output fails
  /// Figures of `layer` are there.
  bool (*passes)(const Pair&, const Layer& layer) = nullptr;
};

extern const std::span<const Gate* const> kGates;

}  // namespace godwit::compare
