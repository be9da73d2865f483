// A model file as a graph that can run: read, expanded, and with the types of all its values.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "ir/model.h"

namespace godwit::exec {

/// Errors: E152 an opset newer than all that is known; those of formats::onnx::load,
/// ops::expand_unknown and ops::infer.
Result<ir::Model> open_model(const std::filesystem::path& path);

}  // namespace godwit::exec
