// Runs a graph with the numbers of an NPU: what is stored is rounded and saturated as the chip does
// it, products are summed on its cube, sequences are those of its library.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "exec/arithmetic.h"
#include "exec/store_points.h"
#include "facts/numerics.h"
#include "kernels/elementwise.h"
#include "kernels/half.h"
#include "kernels/ordered.h"
#include "ops/operator.h"

namespace godwit::exec {

/// How well a predicted value is known.
enum class Tier : std::uint8_t {
  kExact,       // T0: the same bits as on the chip, by documented steps
  kBounded,     // T1: within ULPs of a library function
  kStatistical  // T2: depends on an order of sums that is not published
};

/// What the chip's numerics did to one value, over all times it was made.
struct Effect {
  kernels::Losses losses{};
  Tier tier = Tier::kExact;
  /// Estimated rms distance, relative to the value's rms, between this prediction and the chip.
  /// Estimates of single steps (band_of in npu.cc) add up along a path as independent
  /// errors, with a gain of one; where a layer amplifies errors, the true band is wider.
  double band = 0;
};

struct NpuOptions {
  /// precision_mode of ATC: force_fp16, its default, stores every float as fp16;
  /// must_keep_origin_dtype keeps fp32 tensors in fp32.
  bool keeps_fp32 = false;
  Stores stores = Stores::kUnfused;
  /// Of sums on the cube; nothing: whatever order is fastest here.
  std::optional<kernels::Order> order = kernels::Order::kCube16;
};

/// The options that the profile of a chip asks for.
NpuOptions default_options(const facts::Numerics& chip);

/// What a node makes before its store points: fp32 where floats are to be rounded.
struct Computed {
  std::vector<ir::Datum> made{};
  std::vector<ir::ElementType> stored{};  // of each output
  kernels::Rounding rounding = kernels::Rounding::kNearestEven;
  kernels::Losses losses{};  // on the way
  bool counts = true;        // what the store loses is new
};

class Npu : public Arithmetic {
 public:
  /// `model` and `chip` must outlive it.
  Npu(const ir::Model& model, const facts::Numerics& chip, const NpuOptions& options);

  Result<ir::Datum> carry(ir::ValueId value, ir::Datum datum) override;
  Result<std::vector<ir::Datum>> evaluate(const ir::Node& node, std::vector<ir::Datum> inputs,
                                          const ops::Host& host) override;

  /// One node without the store of its outputs.
  Result<Computed> compute(const ir::Node& node, std::vector<ir::Datum> inputs,
                           const ops::Host& host) const;
  /// The rounding of an fp32 value at its store point.
  kernels::Narrowing narrowing(ir::ValueId value, kernels::Rounding rounding) const {
    return narrowing(value, ir::ElementType::kFloat, rounding);
  }
  /// The same with the place where its losses are counted, for executors with kernels of their own.
  kernels::Store storing(ir::ValueId value,
                         kernels::Rounding rounding = kernels::Rounding::kNearestEven) {
    return {narrowing(value, rounding), &effects_[value].losses};
  }
  /// The type in which a float of the model is carried: narrow ones in flight are fp32.
  ir::ElementType carried_as(ir::ValueId value, ir::ElementType type) const override;
  const facts::Numerics& chip() const { return chip_; }
  const NpuOptions& options() const { return options_; }

  const Effect& effect(ir::ValueId value) const { return effects_[value]; }
  /// The type whose spacing a value has that is carried as `type`.
  ir::ElementType stored_as(ir::ValueId value, ir::ElementType type) const;
  bool accumulates_in_fp16() const { return chip_.accumulates_in_fp16; }
  /// Relative rounding of the operands of a product; 0 where it reads them as they are.
  double operand_roundoff() const;

 private:
  kernels::Narrowing narrowing(ir::ValueId value, ir::ElementType stored,
                               kernels::Rounding rounding) const;
  /// fp32 as it is stored, with what the store loses counted.
  Result<ir::Datum> store(ir::ValueId value, ir::Datum datum, ir::ElementType stored,
                          kernels::Rounding rounding, bool counts);
  Result<ir::Tensor> store(ir::ValueId value, const ir::Tensor& tensor, ir::ElementType stored,
                           kernels::Rounding rounding, bool counts);
  void estimate(ir::GraphId graph);
  void estimate(const ops::Operator& op, const ir::Node& node);

  const ir::Model& model_;
  const facts::Numerics& chip_;
  NpuOptions options_;
  std::vector<StorePoint> points_;
  std::vector<Effect> effects_;
};

}  // namespace godwit::exec
