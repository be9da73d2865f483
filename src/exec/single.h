// 16-bit floats carried as fp32 values of their format: kernels compute in fp32 and round what they
// store, so that a model in fp16 or bf16 runs on the same ones.
#pragma once

#include <vector>

#include "exec/arithmetic.h"
#include "kernels/half.h"

namespace godwit::exec {

/// The values of the main graph of one model; graphs that nodes own run as they are written.
/// Results are those of AsWritten, which widens, computes and rounds each node by itself.
class InSingle : public Arithmetic {
 public:
  /// Of a model with types. Large constants that only nodes without a kernel read stay as they are.
  explicit InSingle(const ir::Model& model);
  /// False where the model has no 16-bit floats.
  bool has_any() const;

  Result<ir::Datum> carry(ir::ValueId value, ir::Datum datum) override;
  Result<std::vector<ir::Datum>> evaluate(const ir::Node& node, std::vector<ir::Datum> inputs,
                                          const ops::Host& host) override;
  ir::ElementType carried_as(ir::ValueId value, ir::ElementType type) const override;
  Result<ir::Datum> written(ir::ValueId value, ir::Datum datum) const override;
  Arithmetic& inside() override { return as_written_; }

  /// How a kernel rounds the value when it stores it.
  kernels::Narrowing narrowing(ir::ValueId value) const;

 private:
  bool is_narrow(ir::ValueId value) const {
    return value < stored_.size() && stored_[value] != ir::ElementType::kUndefined;
  }

  std::vector<ir::ElementType> stored_;  // by value; undefined: carried as it is written
  AsWritten as_written_;
};

}  // namespace godwit::exec
