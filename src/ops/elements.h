// Elements of any type, moved as they are stored.
#pragma once

#include <cstring>
#include <string>

#include "ir/tensor.h"

namespace godwit::ops {

/// to[i] = from[j], of one element type; strings are copied.
inline void copy_element(ir::Tensor& to, std::size_t i, const ir::Tensor& from, std::size_t j) {
  if (from.type() == ir::ElementType::kString) {
    to.mutable_values<std::string>()[i] = from.values<std::string>()[j];
    return;
  }
  const std::size_t width = ir::bytes_in_memory(from.type());
  std::memcpy(to.mutable_data() + i * width, from.data() + j * width, width);
}

}  // namespace godwit::ops
