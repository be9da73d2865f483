// Causes: why a tensor is off, told by signs in its values and its place. One file each in causes/.
#pragma once

#include <span>
#include <string_view>

#include "compare/layer.h"

namespace godwit::compare {

struct Cause {
  std::string_view code;  // of its texts: C001 …
  /// How sure the signs are, 0 to 1. Figures and verdicts of `layer` are there. The surest cause
  /// is taken.
  double (*likelihood)(const Pair&, const Layer& layer) = nullptr;
  /// No remedy takes it away, or it comes from layers before: it stands in tables only.
  bool is_quiet = false;
};

extern const std::span<const Cause* const> kCauses;

}  // namespace godwit::compare
