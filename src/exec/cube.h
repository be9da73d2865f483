// Products on the cube of a chip, as lowerings compute them: how operands are read, in what order
// sums run, and what follows the product.
#pragma once

#include <optional>
#include <vector>

#include "exec/chain_step.h"
#include "exec/sequence.h"

namespace godwit::exec {

/// The weights of a product as the cube reads them.
struct CubeWeights {
  const float* data = nullptr;
  std::vector<float> own{};  // what `data` points into, where they are read in another format
  kernels::Losses losses{};  // of that reading
};

class Cube {
 public:
  /// Of a product on the chip of the part that reads fp32 as `reads`.
  Cube(const Part& part, facts::CubeInput reads);

  /// Nothing: sums may run in any order.
  const std::optional<kernels::Summation>& order() const { return order_; }
  CubeWeights weights(const float* values, std::size_t count) const;

  /// Whether operands are read as they are stored.
  bool reads_stored() const { return reads_ == kernels::Narrowing{}; }
  /// The operand as it is read, in `room` where that is another format.
  const float* read(const float* values, std::size_t count, float* room) const;
  /// Losses of operands belong to the product.
  void add(const kernels::Losses& losses) const { *losses_ += losses; }

 private:
  kernels::Narrowing reads_;
  std::optional<kernels::Summation> order_;
  kernels::Losses* losses_;
};

/// A product of matrices on the cube. Operands of `call` are views without data.
struct CubeProduct {
  Cube cube;
  kernels::Gemm call{};
  std::size_t a_count = 0, b_count = 0;

  /// The step of a node whose inputs 0 and 1 are the operands; a constant right side that
  /// the batch shares is packed.
  Result<Step> step(const Part& part, bool shares_b);
};

}  // namespace godwit::exec
