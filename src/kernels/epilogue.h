// What a product or a convolution does with each result while it is still in the cache.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/half.h"

namespace godwit::kernels {

enum class Activation : std::uint8_t {
  kNone,
  kRelu,       ///< x > 0 or NaN: x, else 0
  kClip,       ///< between low and high; NaN stays
  kLeakyRelu,  ///< x < 0: low * x
};

/// y = narrow(activate(narrow(x + row_bias + column_bias, product) + residual), store), in this
/// order, each step a rounding of fp32. What is left out is skipped. Rows are those of the output
/// matrix: the channels of a convolution.
struct Epilogue {
  const float* row_bias = nullptr;     ///< one value for each row
  const float* column_bias = nullptr;  ///< one value for each column
  Narrowing product{};                 ///< the product's own store, where the NPU does not fuse
  const float* residual = nullptr;     ///< laid out as the output, with the output's strides
  Activation activation = Activation::kNone;
  float low = 0;   ///< lower bound of kClip, slope of kLeakyRelu
  float high = 0;  ///< upper bound of kClip
  Narrowing store{};
  Losses* losses = nullptr;  ///< what both narrowings lost is added here

  bool is_empty() const {
    return row_bias == nullptr && column_bias == nullptr && residual == nullptr &&
           activation == Activation::kNone && product == Narrowing{} && store == Narrowing{};
  }
};

namespace ref {

/// The activation alone, of one value.
float activate(float x, const Epilogue& epilogue);

/// The epilogue of the element at `row`, `column`, whose place from the output's start is `offset`.
float finish(float x, const Epilogue& epilogue, std::size_t row, std::size_t column,
             std::size_t offset);

}  // namespace ref
}  // namespace godwit::kernels
