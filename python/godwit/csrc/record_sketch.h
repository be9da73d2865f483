// Takes the sketch of a tensor: statistics, 64 samples and a hash, found in one pass.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "record_numbers.h"

namespace godwit::record {

/// The tensor as dense row-major values on the host, ready to be read: a copy only where needed.
/// Sparse tensors give their values. Undefined when there is nothing to read. What it calls of
/// torch is not recorded, here as below.
at::Tensor host_values(const at::Tensor& tensor);

/// Takes what host_values gave.
Sketch sketch(const at::Tensor& values);

/// "float32": as torch spells it without "torch.".
const char* dtype_name(at::ScalarType type);
/// "F32": as safetensors spells it; null when it cannot hold the type.
const char* stored_name(at::ScalarType type);
/// "sparse_coo" …; null for the common one.
const char* layout_name(const at::Tensor& tensor);

/// The hash alone.
std::uint64_t hash_bytes(const void* data, std::size_t size);

}  // namespace godwit::record
