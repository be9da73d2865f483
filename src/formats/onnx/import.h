// From the tables of an ONNX file to a graph that can be checked, run and rewritten.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "formats/onnx/model.h"
#include "ir/model.h"

namespace godwit::formats::onnx {

/// The model as a graph; ids are those of `model`. Weights stay where they are: in the file that
/// `model` maps, or in external files beside it, which are mapped when first named. `folder` is
/// that of the model file. Errors: E043, E044 external data outside its folder, E141 missing, E142
/// too short, E143 a tensor with the wrong number of values.
Result<ir::Model> to_graph(Model model, const std::filesystem::path& folder);

/// Reads, converts and verifies. Errors: those of `read`, `to_graph` and ir::verify.
Result<ir::Model> load(const std::filesystem::path& path);

}  // namespace godwit::formats::onnx
