// Precision: how settings name BF16, and what takes its place on a chip without it.
#pragma once

#include <string_view>

namespace godwit::port {

/// "bfloat16" -> "float16", "bf16-mixed" -> "16-mixed"; empty for any other text.
std::string_view without_bf16(std::string_view value);

/// "bf16" -> "fp16", "use_bf16" -> "use_fp16"; empty for any other key or option.
std::string_view switch_without_bf16(std::string_view key);

/// The name is that of a setting whose value is a precision: dtype, torch_dtype, mixed_precision.
bool names_precision(std::string_view name);

}  // namespace godwit::port
