// Memory of an ONNX model on a device: weights as ATC stores them, and the peak of live values.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "formats/onnx/model.h"

namespace godwit::scan {

namespace onnx = formats::onnx;

struct OnnxMemory {
  struct Weights {
    std::uint64_t elements = 0, bytes = 0;
  };
  std::map<std::string, Weights, std::less<>> by_dtype{};
  std::uint64_t parameters = 0;  // elements of floating-point tensors
  std::uint64_t weight_bytes = 0, fp16_bytes = 0, external_bytes = 0;
  std::uint64_t peak_bytes = 0;    // live values of the main graph, floats as fp16
  std::size_t values = 0;          // made by nodes, in all graphs
  std::size_t unknown_shapes = 0;  // of those: no shape in the file
  std::size_t left_out = 0;        // of those: not in the peak, because a size is not known
};

/// A batch that is not known counts as 1; values with other unknown dimensions are left out of the
/// peak, which is a lower bound then.
OnnxMemory measure_memory(const onnx::Model& model);

}  // namespace godwit::scan
