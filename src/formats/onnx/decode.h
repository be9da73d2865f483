// Values of attributes and tensors, read out of the file when asked for.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "formats/onnx/model.h"
#include "ir/tensor.h"
#include "ir/type.h"

namespace godwit::formats::onnx {

/// A TensorProto that stands alone, as in the .pb files of test data. `owner` keeps `bytes` alive;
/// `name` stands in errors. Errors: those of read_tensor, E143 numbers missing.
Result<ir::Tensor> parse_tensor(std::string_view bytes, std::shared_ptr<const void> owner,
                                std::string name);
/// The same of a SequenceProto, OptionalProto or TensorProto, as the type of the input says.
Result<ir::Datum> parse_datum(ir::Type::Kind kind, std::string_view bytes,
                              std::shared_ptr<const void> owner, std::string name);

/// The values of a tensor whose numbers lie in the model file. raw_data is pointed at where its
/// bytes are the values in memory; all else is unpacked. `dims` are those of the tensor.
/// Errors: E143 fewer or more numbers than the shape says.
Result<ir::Tensor> decode(const Tensor& tensor, std::span<const std::int64_t> dims,
                          std::shared_ptr<const void> owner, const std::string& path);
/// Bytes as they lie in a file as values: external data, raw_data.
Result<ir::Tensor> from_bytes(ElementType type, ir::Sizes dims, std::string_view bytes,
                              std::shared_ptr<const void> owner);

}  // namespace godwit::formats::onnx
