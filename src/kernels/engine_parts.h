// Our side of oneDNN's objects: descriptions of memory, and primitives with what they own.
#pragma once

#include "kernels/onednn.h"

#if __has_include(<oneapi/dnnl/dnnl.h>)

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/engine.h"

namespace godwit::kernels::engine {

struct LayoutData {
  dnnl_memory_desc_t desc;
};

using Dims = std::vector<dnnl_dim_t>;

inline dnnl_dim_t to_dim(std::size_t n) { return static_cast<dnnl_dim_t>(n); }

/// Dense, last dimension innermost.
dnnl_memory_desc_t plain_desc(const Dims& dims);

/// For the library to choose.
dnnl_memory_desc_t any_desc(const Dims& dims);

struct LayoutAccess {
  static Layout make(const dnnl_memory_desc_t& desc) {
    Layout layout;
    layout.data_ = std::make_shared<LayoutData>(LayoutData{desc});
    return layout;
  }
  static const dnnl_memory_desc_t& desc(const Layout& layout) { return layout.data_->desc; }
  static dnnl_memory_desc_t desc_or_any(const Layout& layout, const Dims& dims) {
    return layout.is_any() ? any_desc(dims) : layout.data_->desc;
  }
};

// What a primitive owns: the compiled kernel and its constant arguments.
struct PrimitiveData {
  dnnl_primitive_t primitive = nullptr;
  dnnl_memory_desc_t weights_desc{};
  Buffer weights;
  dnnl_memory_desc_t bias_desc{};
  Buffer bias;
  std::vector<std::pair<int, dnnl_memory_desc_t>> others;  // argument of each kAdd

  PrimitiveData() = default;
  PrimitiveData(const PrimitiveData&) = delete;
  PrimitiveData& operator=(const PrimitiveData&) = delete;
  ~PrimitiveData() {
    if (primitive != nullptr) onednn()->primitive_destroy(primitive);
  }
};

/// What a primitive is given once, as the caller has it.
struct Constants {
  dnnl_memory_desc_t weights_desc{};
  const float* weights = nullptr;
  dnnl_memory_desc_t bias_desc{};
  const float* bias = nullptr;
};

struct PrimitiveAccess {
  /// Nothing, if the library cannot do it.
  static std::optional<Primitive> make(const_dnnl_op_desc_t op, std::span<const PostOp> post,
                                       const Constants& constants);

  /// Consumes `desc`.
  static std::optional<Primitive> build(dnnl_primitive_desc_t desc, std::span<const PostOp> post,
                                        const Constants& constants);
};

}  // namespace godwit::kernels::engine

#endif
