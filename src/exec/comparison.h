// Follows two runs and judges every value that both make.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/layer.h"
#include "exec/npu.h"
#include "exec/side_by_side.h"

namespace godwit::exec {

/// Judged values of the found model, in the order in which they are made.
class Comparison {
 public:
  Comparison(const ir::Model& model, const Npu& npu);

  /// A pair of values. Whole numbers count only when they differ.
  Status add(const Match& match, const ir::Datum& reference, const ir::Datum& found);

  const std::vector<compare::Layer>& layers() const { return layers_; }
  /// Matched values that could not be compared: other sizes, strings, sequences.
  const std::vector<ir::ValueId>& skipped() const { return skipped_; }

 private:
  compare::Layer describe(ir::ValueId value);

  const ir::Model& model_;
  const Npu& npu_;
  std::vector<bool> is_output_;
  std::vector<std::size_t> depth_;  // roundings on the longest way to each value
  std::vector<double> unit_;        // largest rounding on the way to each value
  std::vector<double> error_;       // relative RMSE of each value
  std::vector<ir::Sizes> sizes_;
  std::vector<compare::Layer> layers_;
  std::vector<ir::ValueId> skipped_;
};

}  // namespace godwit::exec
