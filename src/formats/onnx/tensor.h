// TensorProto and SparseTensorProto: names, shapes and places, never the weights themselves.
#pragma once

#include "formats/onnx/walk.h"

namespace godwit::formats::onnx {

/// Appends the dimensions to `dims`. Errors: those of Walk, E041 bytes that do not fit the shape,
/// E042 external data that cannot be read, E046 an impossible shape.
Status read_tensor(const Walk& walk, Message message, std::vector<std::int64_t>& dims, Tensor& out);
Status read_sparse_tensor(const Walk& walk, Message message, std::vector<std::int64_t>& dims,
                          Tensor& out);

}  // namespace godwit::formats::onnx
