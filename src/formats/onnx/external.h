// Weights outside the model file: where they lie, and that they lie where they may.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/onnx/model.h"

namespace godwit::formats::onnx {

/// One file that tensors of a model point into.
struct ExternalFile {
  std::string location{};  // as the model names it
  bool found = false;
  std::uint64_t size = 0;    // bytes on disk
  std::uint64_t needed = 0;  // end of the last tensor in it
  Index tensor = kNone;      // the one that ends last
  std::uint32_t tensors = 0;
};

/// The external files of a model, sorted by name; only their metadata is read. `folder` is that of
/// the model. Errors: E043 a place outside the folder (`..`, absolute, or through a link), E044 a
/// hard link, which may be another name of any file on the disk, E045 more files than a model has.
Result<std::vector<ExternalFile>> external_files(const Model& model,
                                                 const std::filesystem::path& folder);

}  // namespace godwit::formats::onnx
