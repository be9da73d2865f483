// ValueInfoProto: a name and its type.
#pragma once

#include "formats/onnx/walk.h"

namespace godwit::formats::onnx {

/// Appends the dimensions to `dims`. Errors: those of Walk, E034 nested too deep.
Status read_value(const Walk& walk, Message message, std::vector<Dim>& dims, std::string_view& name,
                  Type& type);

/// A TypeProto alone.
Status read_type(const Walk& walk, Message message, std::vector<Dim>& dims, Type& type);

}  // namespace godwit::formats::onnx
