// Judging: groups the nodes of a model and asks the facts for each group once.
#pragma once

#include "scan/node_rule.h"

namespace godwit::scan {

/// Opsets that ATC reads: its plug-ins are registered for 8 to 18, its page says 11 to 18.
inline constexpr std::int64_t kFirstOpset = 8, kLastOpset = 18, kFirstOpsetOfPage = 11;

/// Errors: those of facts, E045 more kinds of operators than a model has.
Result<OnnxScene> make_scene(const onnx::Model& model, const facts::Target& target,
                             std::string cann);

}  // namespace godwit::scan
