// Models as ONNX files.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "ir/model.h"

namespace godwit::formats::onnx {

/// kAuto: weights go to a file of their own when the model would pass the 2 GB of protobuf.
enum class External : std::uint8_t { kAuto, kNever, kAlways };

struct WriteOptions {
  std::int64_t ir_version = 0;  // 0: that of the model, raised where its content needs a newer one
  External external = External::kAuto;
  std::uint64_t external_from = 1024;  // bytes; smaller weights stay in the model
  std::uint64_t alignment = 4096;      // of each tensor in the data file, so that it can be mapped
  bool value_types = true;             // types of inner values, as far as they are known
};

/// Writes `path`, and `path` + ".data" where weights lie outside. Both appear only when they are
/// whole; weights are copied from where they lie, a block at a time. The opsets are those of the
/// model. Errors: E005, E159 an output whose type is not known, or nodes of one domain with
/// different opsets (see ops::convert), E179 more than 2 GB without external data.
Status write(const ir::Model& model, const std::filesystem::path& path,
             const WriteOptions& options = {});

}  // namespace godwit::formats::onnx
