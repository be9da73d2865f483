// Models as text, in the syntax of the ONNX standard (onnx.parser, onnx.printer).
#pragma once

#include <string>

#include "ir/model.h"

namespace godwit::ir {

enum class Detail : std::uint8_t {
  kFull,  // every number; `parse` reads it back
  kBrief  // for people: the first numbers of long constants, types behind each node
};

/// Types of fewer than 32 bits are written as their bits, as the standard does. The opset of a node
/// is that of the model: what was inlined from functions with other opsets cannot be told.
std::string print(const Model& model, Detail detail = Detail::kFull);

}  // namespace godwit::ir
