// Lowerings: how the fast executor computes an operator with kernels. One file per kind of kernel
// in lowerings/; what has none, or is refused by it, runs by the reference evaluation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exec/chip_chain.h"
#include "exec/frame.h"
#include "ir/model.h"
#include "kernels/elementwise.h"
#include "kernels/engine.h"
#include "kernels/epilogue.h"
#include "ops/site.h"

namespace godwit::exec {

/// One thing to do in a plan: reads and writes values of the frame.
using Step = std::function<Status(Frame&)>;

/// What a step does with its results before they leave the registers: the nodes that follow its own
/// and that nobody else looks into.
struct Tail {
  std::vector<ir::NodeId> nodes{};   // in order; empty: nothing is fused
  ir::ValueId result = ir::kNone;    // what the step makes in the end
  ir::ValueId bias = ir::kNone;      // a constant, one value per channel or column
  ir::ValueId residual = ir::kNone;  // of the shape of the result
  kernels::Activation activation = kernels::Activation::kNone;
  float low = 0;
  float high = 0;
  ir::ValueId source = ir::kNone;  // of `links`, where the node itself is the first of them
  std::vector<Link> links{};  // under the numerics of a chip, instead of the above: all of `nodes`
};

/// Along which axis of its result a step takes a bias.
enum class BiasAxis : std::uint8_t { kNone, kChannel, kLast };

/// Orders in memory other than row-major, and the steps that change them: kept by the planner.
class Layouts {
 public:
  virtual ~Layouts() = default;
  /// How a value lies; Layout() for row-major.
  virtual kernels::engine::Layout of(ir::ValueId value) const = 0;
  /// The value in that order, copied by a step of its own where it lies otherwise.
  virtual Result<ir::ValueId> as(ir::ValueId value, const kernels::engine::Layout& layout) = 0;
  /// Says how the value that is about to be made will lie.
  virtual void set(ir::ValueId value, const kernels::engine::Layout& layout) = 0;
  /// False for values that others than steps look at: graph outputs, what subgraphs capture.
  virtual bool may_be_blocked(ir::ValueId value) const = 0;
};

/// What a lowering sees: its node with all types, and the tail that was found for it.
class Part : public ops::Site {
 public:
  /// With what numbers it computes.
  struct Numbers {
    const Arithmetic& arithmetic;
    kernels::Narrowing store;  // of its result, without a chip
    Npu* npu;
  };
  Part(const ir::Model& model, const ops::Operator& op, const ir::Node& node, Tail tail,
       const Numbers& numbers, Layouts& layouts)
      : Site(op, node),
        model_(model),
        tail_(std::move(tail)),
        numbers_(numbers),
        layouts_(layouts) {}

  const Tail& tail() const { return tail_; }
  /// The input of the node; kNone when left out.
  ir::ValueId input(std::size_t i) const {
    return i < node().inputs.size() ? node().inputs[i] : ir::kNone;
  }
  ir::ValueId output() const { return tail_.result; }
  /// Sizes of a tensor whose shape is all numbers; nothing otherwise.
  std::optional<ir::Sizes> sizes(ir::ValueId value) const;
  /// Whether its elements lie in memory as fp32.
  bool is_fp32(ir::ValueId value) const;
  /// Null when the value is no constant; the default of an input is none.
  const ir::Tensor* constant(ir::ValueId value) const { return model_.constant(value); }
  /// The values of an fp32 constant, or null.
  const float* floats(ir::ValueId value) const;
  /// The element type that the model says; undefined for a value that is left out.
  ir::ElementType element(ir::ValueId value) const {
    return value == ir::kNone ? ir::ElementType::kUndefined : model_.values[value].type.element;
  }
  /// The tail as kernels take it, but for the residual, which lies in the frame of each run.
  kernels::Epilogue epilogue(BiasAxis axis) const;
  /// How the node's own result is rounded when it is stored.
  kernels::Store store(kernels::Rounding rounding = kernels::Rounding::kNearestEven) const {
    return npu() ? npu()->storing(node().outputs[0], rounding)
                 : kernels::Store{numbers_.store, nullptr};
  }
  /// The chip whose numerics the plan has; null: plain fp32.
  Npu* npu() const { return numbers_.npu; }
  /// Whether what is only moved from input 0 to the output needs no other rounding.
  bool keeps_bits() const;

  /// What a step reads in each run: the value row-major, or in the order that it asks for. Values
  /// are alive for the step only when they were asked for here.
  Result<ir::ValueId> reads(ir::ValueId value) const { return reads(value, {}); }
  Result<ir::ValueId> reads(ir::ValueId value, const kernels::engine::Layout& layout) const;
  /// Says that the step has copied a constant and never reads it again.
  void packed(ir::ValueId value) const { packed_.push_back(value); }
  const std::vector<ir::ValueId>& packed() const { return packed_; }
  Layouts& layouts() const { return layouts_; }
  const std::vector<ir::ValueId>& uses() const { return uses_; }

 private:
  const ir::Model& model_;
  Tail tail_;
  Numbers numbers_;
  Layouts& layouts_;
  mutable std::vector<ir::ValueId> uses_;
  mutable std::vector<ir::ValueId> packed_;
};

/// Row-major, in the engine's terms: batch, channels and at least two spatial axes.
kernels::engine::Layout engine_layout(const ir::Sizes& sizes);

struct Lowering {
  std::vector<std::string_view> ops;  // of ai.onnx
  BiasAxis bias = BiasAxis::kNone;
  bool takes_residual = false;
  bool takes_activation = false;
  bool takes_chain = false;  // on a chip: Tail::links
  bool makes_all = false;    // the step writes every output of the node, not its first alone
  /// The step, or an empty one when this use cannot be computed this way.
  Result<Step> (*make)(const Part&) = nullptr;
  /// The same under the numerics of a chip: the bits of exec::Npu, but for sums whose order is
  /// free.
  Result<Step> (*make_on_chip)(const Part&) = nullptr;
};

extern const std::span<const Lowering* const> kLowerings;

/// Null: only the reference evaluation, or the chip's sequence, computes it.
const Lowering* find_lowering(const ir::Node& node, bool is_on_chip = false);

}  // namespace godwit::exec
