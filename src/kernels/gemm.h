// Matrix products in fp32: packed panels, blocks that fit the caches, all threads.
//
// Sums run along K in order, in blocks of `kDepth`, whose sums are added in order; with fused
// multiply-adds at every SIMD level but plain C++. So the bits depend neither on the number of
// threads nor on M and N, and with fp16 inputs, whose products are exact, on no instruction set.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "kernels/epilogue.h"
#include "kernels/ordered.h"

namespace godwit::kernels {

/// fp32 values at an address that suits every vector; not initialised. Moves, never copies.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t floats);
  float* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    Free() : Free(0) {}
    explicit Free(std::size_t own) : bytes(own) {}
    std::size_t bytes;  // of pages of its own; 0: from the allocator
    void operator()(float* data) const;
  };
  std::unique_ptr<float, Free> data_;
  std::size_t size_ = 0;
};

/// A matrix in memory: element (r, c) is at data[r * row_stride + c * column_stride].
struct MatrixView {
  const float* data = nullptr;
  std::size_t row_stride = 0;
  std::size_t column_stride = 1;

  MatrixView transposed() const { return {data, column_stride, row_stride}; }
};

enum class Side { kLeft, kRight };

/// One operand in the order in which the inner loop reads it. Weights are packed once and used by
/// any number of products, from any thread.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  /// Left: `rows` x `columns` is M x K; right: K x N. `data` may be released afterwards. `depth` is
  /// block_depth of the products' order.
  PackedMatrix(Side side, std::size_t rows, std::size_t columns, MatrixView values,
               std::size_t depth = 0);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t bytes() const { return panels_.size() * sizeof(float); }

 private:
  friend struct PackedPanels;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t width_ = 0;                    // rows or columns of a panel
  std::size_t depth_ = 0;                    // of a block of K
  const struct GemmLoops* loops_ = nullptr;  // of the level that it was packed for
  Buffer panels_;
};

/// C = alpha A B + beta C, then the epilogue. A is M x K, B is K x N, C is M x N with rows
/// `c_stride` apart and must not overlap the others; with beta = 0, C is only written. K = 0 gives
/// beta C. Transpose an operand with MatrixView::transposed.
struct Gemm {
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  MatrixView a{};
  MatrixView b{};
  const PackedMatrix* packed_a = nullptr;  ///< instead of `a`
  const PackedMatrix* packed_b = nullptr;  ///< instead of `b`
  float* c = nullptr;
  std::size_t c_stride = 0;
  float alpha = 1;
  float beta = 0;
  Epilogue epilogue{};
  /// Nothing: sums run in blocks of kDepth. An order gives the bits of ref::ordered_gemm, at every
  /// SIMD level where products are exact; alpha and beta round each of their operations, and what
  /// accumulators lost is counted with the epilogue's losses.
  std::optional<Summation> order{};
  /// Independent products: each starts this far from the one before. A step of 0 shares an operand;
  /// biases are shared, the residual moves with C.
  std::size_t batch = 1;
  std::size_t a_step = 0;
  std::size_t b_step = 0;
  std::size_t c_step = 0;
};

/// Products along K are summed in blocks of at most this many.
inline constexpr std::size_t kDepth = 384;

/// The length of a block of K: whole sixteens, all of one size, so that none is too short to pay
/// for loading and storing C. Sums in fp64 take all of K at once.
std::size_t block_depth(std::size_t k, const std::optional<Summation>& order = {});

/// Error of an element: at most (min(K, kDepth) + K / kDepth + 1) 2^-24 sum |a b|, before the
/// epilogue. NaN and Inf go where arithmetic takes them, zeros in the other operand included.
void gemm(const Gemm& call);

}  // namespace godwit::kernels
