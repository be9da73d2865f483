// What a file that is not an ONNX model seems to be, so that the error can say it.
#pragma once

#include <string_view>

namespace godwit::formats::onnx {

/// Key of the text "onnx_file.KEY" in ui.toml for a format known by its first bytes; empty when
/// the bytes may be an ONNX model.
std::string_view foreign_format(std::string_view bytes);

}  // namespace godwit::formats::onnx
