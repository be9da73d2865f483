// The links of a tail as one pass over a tensor, in the order in which it lies in memory.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exec/lowering.h"

namespace godwit::exec {

class ChainStep {
 public:
  /// The links of the part's tail for values that lie as `layout`; `stores_first`: behind the store
  /// of what the node itself makes. Nothing when operands repeat in a way that this order has not.
  static Result<std::optional<ChainStep>> make(const Part& part,
                                               const kernels::engine::Layout& layout,
                                               bool stores_first);

  bool is_empty() const { return links_.empty(); }
  void run(Frame& frame, const float* in, float* out) const;

 private:
  using Links = std::vector<kernels::ChainLink>;
  std::size_t rows_ = 1, columns_ = 0;
  Links links_;
  std::vector<std::pair<std::size_t, ir::ValueId>> read_;  // links whose operand each run has
  std::vector<std::shared_ptr<const void>> kept_;          // what constants point into
  friend class ChainMaker;
};

}  // namespace godwit::exec
